import {
  fingerprintOf,
  newAgreementKey,
  newSigningKey,
  sealText,
  writeAdministrators,
  writeDeviceList,
} from '@hearth/sealing'
import { expect, it } from 'vitest'
import { describeSealing, MOST_REMOVED } from './describe-sealing.ts'

const seal = newSigningKey()
const { publicKey: key } = newAgreementKey()

function listOf(count: number) {
  const devices = Array.from({ length: count }, (_, index) => ({ id: `d${index}`, name: 'n', key, from: 1 }))
  const signed = writeDeviceList({ organization: 'o', number: 1, signedAt: 1, devices }, seal)
  return { ...signed, number: 1, putAt: new Date(0) }
}

it('sends only some of the devices that are on the list and nowhere else', () => {
  const sealing = { mode: 'off' as const, seal: sealText(seal.publicKey, 'hs'), devices: listOf(MOST_REMOVED + 50) }
  const { devices } = describeSealing(sealing, { known: [{ id: 'd3', name: 'Desk' }], linked: [] })
  expect(devices.filter(({ state }) => state === 'removed')).toHaveLength(MOST_REMOVED)
  expect(devices).toContainEqual(expect.objectContaining({ id: 'd3', name: 'Desk', state: 'approved' }))
})

it('shows no list that the store has but nobody signed', () => {
  const devices = { ...listOf(1), text: '{}' }
  const shown = describeSealing({ mode: 'off', devices }, { known: [{ id: 'd0', name: 'n' }], linked: [] })
  expect(shown).toMatchObject({ list: null, devices: [{ state: 'not-approved' }] })
})

it('shows each device as the signed list has it', () => {
  const keyOf = () => newAgreementKey().publicKey
  const [desk, lab, reinstalled] = [keyOf(), keyOf(), keyOf()]
  const listed = { desk, moved: lab, away: lab, gone: desk }
  const helper = newSigningKey()
  const about = { organization: 'o', number: 1 }
  const signed = writeAdministrators({ ...about, administrators: [{ name: 'Grace', key: helper.publicKey }] }, seal)
  const approved = Object.entries(listed).map(([id, its]) => ({ id, name: `${id} of the list`, key: its, from: 1 }))
  const list = writeDeviceList({ ...about, signedAt: 1_000, devices: approved }, helper)
  const kept = { number: 1, putAt: new Date(0) }
  const shown = describeSealing(
    {
      mode: 'off',
      seal: sealText(seal.publicKey, 'hs'),
      administrators: { ...signed, ...kept },
      devices: { ...list, ...kept },
    },
    {
      known: ['away', 'desk', 'lab', 'moved', 'never', 'old'].map((id) => ({ id, name: id })),
      linked: [
        { id: 'desk', sealKey: desk },
        { id: 'moved', sealKey: reinstalled },
        { id: 'lab', sealKey: lab },
        { id: 'old', sealKey: undefined },
      ],
    },
  )
  expect(shown.devices.map(({ name, state, isOnline, fingerprint }) => [name, state, isOnline, fingerprint])).toEqual([
    ['away', 'approved', false, fingerprintOf(lab)],
    ['desk', 'approved', true, fingerprintOf(desk)],
    ['lab', 'not-approved', true, fingerprintOf(lab)],
    ['moved', 'new-key', true, fingerprintOf(reinstalled)],
    ['never', 'not-approved', false, null],
    ['old', 'no-key', true, null],
    ['gone of the list', 'removed', false, fingerprintOf(desk)],
  ])
  expect(shown.list).toEqual({ number: 1, signedAt: '1970-01-01T00:00:01.000Z' })
  const key = sealText(helper.publicKey, 'ha')
  expect(shown.administrators).toEqual([{ name: 'Grace', key, fingerprint: fingerprintOf(helper.publicKey) }])
})
