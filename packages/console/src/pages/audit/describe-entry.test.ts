import { describe, expect, it } from 'vitest'
import { describeEntry, listChanges } from './describe-entry.ts'

const ENTRY = {
  id: '1',
  at: '2026-11-15T12:00:00.000Z',
  actor: { kind: 'person' as const, id: '1', name: 'Ada' },
  action: 'key.revoke',
  isRefused: false,
  object: { kind: 'key', id: '2', name: 'CI' },
  before: null,
  after: null,
  address: null,
}

describe('an audit log entry', () => {
  it('is a sentence', () => {
    expect(describeEntry(ENTRY)).toStrictEqual({ verb: 'revoked key', object: 'CI' })
    const joined = { ...ENTRY, action: 'device.enrol', actor: { kind: 'device' as const, id: '1', name: 'Mac' } }
    expect(describeEntry(joined)).toStrictEqual({ verb: 'joined as a device', object: '' })
  })

  it.each([
    ['member.join', { after: { role: 'admin' } }, 'joined as an admin', ''],
    ['member.sign-in', { after: { way: 'passkey' } }, 'signed in with a passkey', ''],
    ['member.sign-in', { after: { way: 'password' } }, 'signed in with a password', ''],
    ['member.wrong-password', { isRefused: true }, 'gave a wrong password for', 'CI'],
    ['member.leave', { before: { role: 'member' } }, 'left the organization', ''],
    ['invitation.create', { after: { role: 'member' } }, 'created a member invitation', ''],
    ['invitation.create', { after: { role: 'member', email: 'a@b.test' } }, 'invited', 'a@b.test'],
    ['invitation.revoke', { before: { role: 'owner' } }, 'revoked an owner invitation', ''],
    ['invitation.revoke', { before: { role: 'owner', email: 'a@b.test' } }, 'revoked the invitation for', 'a@b.test'],
    ['device.change', { before: { isPaused: false }, after: { isPaused: true } }, 'paused device', 'CI'],
    ['device.change', { before: { isPaused: true }, after: { isPaused: false } }, 'resumed device', 'CI'],
    ['device.change', { before: { name: 'a' }, after: { name: 'CI' } }, 'renamed a device to', 'CI'],
    ['organization.rename', { before: { name: 'CI' }, after: { name: 'New' } }, 'renamed the organization to', 'New'],
    ['member.rename', { object: { kind: 'member', id: '1', name: 'Lady Ada' } }, 'changed their name to', 'Lady Ada'],
    ['member.rename', {}, 'renamed a member to', 'CI'],
    ['organization.seal', { before: { seal: null }, after: { seal: 'hs-a' } }, 'set the seal', ''],
    ['organization.seal', { before: { seal: 'hs-a' }, after: { seal: 'hs-b' } }, 'replaced the seal', ''],
    ['organization.seal', { before: {}, after: { sealing: 'off' } }, 'turned sealed requests to off', ''],
    ['organization.sign', { after: { list: 'devices', number: 3, entries: 1 } }, 'signed list 3 with 1 device', ''],
  ])('describes %s with %j', (action, fields, verb, object) => {
    expect(describeEntry({ ...ENTRY, action, ...fields })).toStrictEqual({ verb, object })
  })

  it('names the device where a model was downloaded or removed, once', () => {
    const entry = { ...ENTRY, action: 'model.delete', after: { device: 'Mac' } }
    expect(describeEntry(entry)).toStrictEqual({ verb: 'removed the copy of', object: 'CI', device: 'Mac' })
    expect(listChanges(entry)).toStrictEqual([])
  })

  it('says what was denied', () => {
    const denied = { ...ENTRY, action: 'members.invite', isRefused: true }
    expect(describeEntry(denied).verb).toBe('tried to invite someone')
  })

  it('shows an unknown action by its name', () => {
    expect(describeEntry({ ...ENTRY, action: 'moon.landing' }).verb).toBe('moon.landing')
  })

  it('lists the fields that changed', () => {
    const changed = {
      ...ENTRY,
      before: { name: 'CI', isPaused: false, same: 1 },
      after: { name: 'Builds', isPaused: true, same: 1, models: ['a', 'b'] },
    }
    expect(listChanges(changed)).toStrictEqual([
      { name: 'name', before: 'CI', after: 'Builds' },
      { name: 'paused', before: 'no', after: 'yes' },
      { name: 'models', before: undefined, after: 'a, b' },
    ])
    expect(listChanges({ ...ENTRY, action: 'member.join', after: { role: 'admin' } })).toStrictEqual([])
  })
})
