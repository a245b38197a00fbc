import { describe, expect, it } from 'vitest'
import { newAgreementKey, newSigningKey } from '../keys/key-pair.ts'
import { sealText } from '../keys/seal-text.ts'
import { MAX_ADMINISTRATORS, MAX_DEVICES, MAX_DOCUMENT_BYTES, MAX_NAME_LENGTH, MAX_PREVIOUS } from '../limits.ts'
import { ORGANIZATION } from '../testing/examples.ts'
import { writeAdministrators, type Administrators } from './administrators.ts'
import { checkSeal, type SealCheck, type SealVerdict } from './check-seal.ts'
import { writeDeviceList, type DeviceList } from './device-list.ts'
import { chainAfter } from './seen.ts'
import { signText, type SignedText } from './signed-text.ts'

const root = newSigningKey()
const administrator = newSigningKey()
const stranger = newSigningKey()
const device = { id: 'device_1', name: 'Studio', key: newAgreementKey().publicKey, from: 5 }
const otherDevice = { ...device, id: 'device_2', key: newAgreementKey().publicKey }

const ANN = { name: 'Ann', key: administrator.publicKey }
const ofAdministrators = (changes: Partial<Administrators> = {}, key = root) =>
  writeAdministrators({ organization: ORGANIZATION, number: 1, administrators: [ANN], ...changes }, key)
const ofDevices = (changes: Partial<DeviceList> = {}, key = root) =>
  writeDeviceList({ organization: ORGANIZATION, number: 1, signedAt: 7, devices: [device], ...changes }, key)

describe('a seal', () => {
  it('vouches for the devices of a list that it has signed', () => {
    const verdict = check({ devices: ofDevices() })
    expect(verdict).toMatchObject({ kind: 'trusted', devices: [device], seen: { devices: { number: 1 } } })
  })

  it('vouches for those of a list that one of its administrators has signed', () => {
    const verdict = check({ administrators: ofAdministrators(), devices: ofDevices({}, administrator) })
    expect(verdict).toMatchObject({ kind: 'trusted', devices: [device], seen: { administrators: { number: 1 } } })
  })

  it('trusts nobody before a list was signed', () => {
    expect(check({})).toEqual({ kind: 'trusted', devices: [], administrators: [], apps: [], seen: {} })
  })

  it('must be pinned as a seal, without a typo', () => {
    const wrong = [sealText(root.publicKey, 'ha'), sealText(root.publicKey, 'hs').replace('hs-', 'hs-A'), '', 'hs-']
    for (const seal of wrong) expectRejected(check({ seal, devices: ofDevices() }), 'malformed', 'seal')
  })
})

describe('a gateway that lies', () => {
  it('cannot sign a list itself', () => {
    expectRejected(check({ devices: ofDevices({}, stranger) }), 'not-signed', 'devices')
    expectRejected(check({ administrators: ofAdministrators({}, stranger) }), 'not-signed', 'administrators')
  })

  it('cannot pass its signature off as one of the seal', () => {
    const devices = { ...ofDevices({}, stranger), key: root.publicKey }
    expectRejected(check({ devices }), 'not-signed', 'devices')
  })

  it('cannot make an administrator of its own, nor let an administrator make one', () => {
    const administrators = [{ name: 'Eve', key: stranger.publicKey }]
    const devices = ofDevices({}, stranger)
    for (const key of [stranger, administrator]) {
      const verdict = check({ administrators: ofAdministrators({ administrators }, key), devices })
      expectRejected(verdict, 'not-signed', 'administrators')
    }
  })

  it('cannot add, swap or rename a device', () => {
    const { text, ...signature } = ofDevices()
    for (const changed of [
      text.replace(device.key, otherDevice.key),
      text.replace(device.id, otherDevice.id),
      text.replace('[{', `[${JSON.stringify(otherDevice)},{`),
      `${text} `,
    ]) {
      expectRejected(check({ devices: { ...signature, text: changed } }), 'not-signed', 'devices')
    }
  })

  it('cannot pass one document off as the other', () => {
    expectRejected(check({ devices: ofAdministrators() }), 'malformed', 'devices')
    expectRejected(check({ administrators: ofDevices() }), 'malformed', 'administrators')
  })

  it('cannot use the documents of another organization', () => {
    const organization = 'org_2'
    expectRejected(check({ devices: ofDevices({ organization }) }), 'wrong-organization', 'devices')
    const administrators = ofAdministrators({ organization })
    expectRejected(check({ administrators, devices: ofDevices() }), 'wrong-organization', 'administrators')
  })

  it('cannot go back to an older list, nor withhold the list', () => {
    const { seen } = trusted({ devices: ofDevices({ number: 3 }) })
    expectRejected(check({ devices: ofDevices({ number: 2 }), seen }), 'older-list', 'devices')
    expectRejected(check({ seen }), 'older-list', 'devices')
    expect(check({ devices: ofDevices({ number: 4, devices: [otherDevice] }), seen }).kind).toBe('trusted')
  })

  it('cannot go back to older administrators, nor withhold them', () => {
    const { seen } = trusted({
      administrators: ofAdministrators({ number: 2, administrators: [] }),
      devices: ofDevices(),
    })
    const devices = ofDevices({ number: 2 }, administrator)
    expectRejected(check({ administrators: ofAdministrators(), devices, seen }), 'older-list', 'administrators')
    expectRejected(check({ devices: ofDevices(), seen }), 'older-list', 'administrators')
  })

  it('cannot show two lists with one number', () => {
    const { seen } = trusted({ devices: ofDevices() })
    expectRejected(check({ devices: ofDevices({ signedAt: 8 }), seen }), 'two-lists-with-one-number', 'devices')
    expect(check({ devices: ofDevices(), seen }).kind).toBe('trusted')
  })

  it('cannot have a list accepted that was signed on top of an older one', () => {
    const one = trusted({ devices: ofDevices({ number: 1, previous: [] }) })
    const next = (last: typeof one, changes: Partial<DeviceList> = {}) =>
      ofDevices({ number: last.seen.devices!.number + 1, previous: chainAfter(last.seen.devices), ...changes })
    const two = trusted({ devices: next(one, { devices: [] }), seen: one.seen })
    // Shown the first list again, an administrator signs on top of it, twice.
    const forked = trusted({ devices: next(one, { signedAt: 9 }), seen: one.seen })
    const later = next(forked)
    expectRejected(check({ devices: later, seen: two.seen }), 'not-a-chain', 'devices')
    expect(trusted({ devices: next(two), seen: two.seen }).seen.devices!.number).toBe(3)
    expect(check({ devices: next(trusted({ devices: next(two), seen: two.seen })), seen: one.seen }).kind).toBe(
      'trusted',
    )
    // Nor one that names none before it.
    expectRejected(check({ devices: ofDevices({ number: 3 }), seen: two.seen }), 'not-a-chain', 'devices')
  })

  it('is followed from lists that were signed before there were chains', () => {
    const { seen } = trusted({ devices: ofDevices({ number: 3 }) })
    expect(check({ devices: ofDevices({ number: 5 }), seen }).kind).toBe('trusted')
    const first = trusted({ devices: ofDevices({ number: 6, previous: ['A'.repeat(43)] }), seen })
    expect(first.seen.devices).toMatchObject({ number: 6, isChained: true })
  })

  it('is not followed across more lists than a list can name', () => {
    const one = trusted({ devices: ofDevices({ number: 1, previous: [] }) })
    const previous = Array.from({ length: MAX_PREVIOUS }, () => 'A'.repeat(43))
    const devices = ofDevices({ number: MAX_PREVIOUS + 2, previous })
    expectRejected(check({ devices, seen: one.seen }), 'too-far', 'devices')
  })

  it('cannot use the list of an administrator who was removed', () => {
    const { seen } = trusted({ administrators: ofAdministrators(), devices: ofDevices({}, administrator) })
    const administrators = ofAdministrators({ number: 2, administrators: [] })
    expectRejected(check({ administrators, devices: ofDevices({}, administrator), seen }), 'not-signed', 'devices')
  })

  it('cannot make the client read what is too large or not of the right shape', () => {
    const large = { ...ofDevices(), text: 'x'.repeat(MAX_DOCUMENT_BYTES + 1) }
    expectRejected(check({ devices: large }), 'too-large', 'devices')
    for (const devices of [null, 1, 'x', [], {}, { ...ofDevices(), signature: undefined }]) {
      expectRejected(check({ devices }), 'malformed', 'devices')
    }
  })
})

describe('a signed document with mistakes', () => {
  it.each<[string, object]>([
    ['another type', { type: 'administrators' }],
    ['no number', { number: undefined }],
    ['number 0', { number: 0 }],
    ['half a number', { number: 1.5 }],
    ['a number beyond what is exact', { number: 2 ** 53 }],
    ['no organization', { organization: '' }],
    ['a time as text', { signedAt: '2026' }],
    ['no list', { devices: {} }],
    ['a chain with something else in it', { number: 2, previous: ['x'] }],
    ['a chain of more lists than there were', { number: 1, previous: ['A'.repeat(43)] }],
    ['a program without a hash', { apps: [{ program: 'hearth-device', version: '1.0.0', sha256: 'x' }] }],
    ['a device without a name', { devices: [{ ...device, name: undefined }] }],
    ['a long name', { devices: [{ ...device, name: 'x'.repeat(MAX_NAME_LENGTH + 1) }] }],
    ['one ID twice', { devices: [device, { ...otherDevice, id: device.id }] }],
    ['a short key', { devices: [{ ...device, key: 'AAAA' }] }],
    ['a key that nobody can encrypt to', { devices: [{ ...device, key: 'A'.repeat(43) }] }],
    ['too many devices', { devices: Array.from({ length: MAX_DEVICES + 1 }, (_, n) => ({ ...device, id: `${n}` })) }],
  ])('is malformed: %s', (_, changes) => {
    const devices = edited(ofDevices(), changes)
    expectRejected(check({ devices }), 'malformed', 'devices')
  })

  it.each<[string, object]>([
    ['one key twice', ['Ann', 'Bob'].map((name) => ({ name, key: stranger.publicKey }))],
    ['no name', [{ name: '', key: stranger.publicKey }]],
    ['too many', Array.from({ length: MAX_ADMINISTRATORS + 1 }, () => ({ name: 'A', key: newSigningKey().publicKey }))],
  ])('is malformed: administrators with %s', (_, administrators) => {
    const changed = edited(ofAdministrators(), { administrators })
    expectRejected(check({ administrators: changed }), 'malformed', 'administrators')
  })

  it('is malformed if it is not JSON', () => {
    for (const text of ['', '[]', 'null', '{']) {
      expectRejected(check({ devices: signText(text, root) }), 'malformed', 'devices')
    }
  })
})

function check(given: Partial<SealCheck>): SealVerdict {
  const seal = sealText(root.publicKey, 'hs')
  return checkSeal({
    seal,
    organization: ORGANIZATION,
    administrators: undefined,
    devices: undefined,
    seen: {},
    ...given,
  })
}

function trusted(given: Partial<SealCheck>) {
  const verdict = check(given)
  if (verdict.kind !== 'trusted') throw new Error(`rejected: ${verdict.reason}`)
  return verdict
}

function expectRejected(verdict: SealVerdict, reason: string, document: string): void {
  expect(verdict).toEqual({ kind: 'rejected', reason, document })
}

/** Signed by the seal all the same: a mistake of the program that signs. */
function edited({ text }: SignedText, changes: object): SignedText {
  return signText(JSON.stringify({ ...JSON.parse(text), ...changes }), root)
}
