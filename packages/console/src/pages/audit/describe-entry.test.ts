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

describe('an entry of the audit log', () => {
  it('[Q9] is a sentence', () => {
    expect(describeEntry(ENTRY)).toStrictEqual({ verb: 'revoked key', object: 'CI' })
    const joined = { ...ENTRY, action: 'device.enrol', actor: { kind: 'device' as const, id: '1', name: 'Mac' } }
    expect(describeEntry(joined)).toStrictEqual({ verb: 'joined as a device', object: '' })
  })

  it('[Q9] tells what was refused, and shows an action it does not know by its name', () => {
    const refused = { ...ENTRY, action: 'members.invite', isRefused: true }
    expect(describeEntry(refused).verb).toBe('was refused: inviting somebody')
    expect(describeEntry({ ...ENTRY, action: 'moon.landing' }).verb).toBe('moon.landing')
  })

  it('[Q9] lists what is different', () => {
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
  })
})
