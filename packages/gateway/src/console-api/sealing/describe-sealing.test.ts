import { newAgreementKey, newSigningKey, sealText, writeDeviceList } from '@hearth/sealing'
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
