import { describe, expect, it } from 'vitest'
import type { PeerRow } from '../../../store/peers.ts'
import { Removals } from './removals.ts'
import { outlast, TIMING } from './timing.ts'

const SERVER = { id: 's1', name: 'nats' }
/** Only gateway 2 could vouch for it. */
const ROW: PeerRow = {
  id: 'dead',
  number: 1,
  version: '1',
  turn: 7,
  acknowledged: 1,
  peers: [2],
  hears: [],
  isIsolated: false,
  bus: SERVER,
}

const NEWCOMER = 3

function seen(heardAt?: number): Removals {
  const removals = new Removals(TIMING, 'new', { heardAt: () => heardAt })
  removals.observe([ROW], 0)
  removals.observe([ROW], TIMING.claimMs)
  return removals
}

describe('the rows of gateways that are gone', () => {
  it('are claimed once they were not renewed for a while, on their own server or a later one with its name', () => {
    const removals = seen()
    expect(removals.listClaimable(NEWCOMER, SERVER)).toEqual([{ number: 1, turn: 7 }])
    expect(removals.listClaimable(NEWCOMER, { id: 's2', name: 'nats' })).toHaveLength(1)
    expect(removals.listClaimable(NEWCOMER, { id: 's2' })).toEqual([])
  })

  it('are removed only when every word that was given before the claim has run out', () => {
    const claimedAt = TIMING.leadershipMs
    const removals = seen(claimedAt)
    const goneAt = claimedAt + outlast(TIMING.vouchMs)
    expect(removals.listGone(NEWCOMER, goneAt - 1)).toEqual([])
    expect(removals.listGone(NEWCOMER, goneAt)).toEqual([{ number: 1, turn: 7 }])
  })

  it('are kept for the whole grace period if they could not be claimed', () => {
    const removals = seen()
    expect(removals.listGone(NEWCOMER, outlast(TIMING.graceMs) - 1)).toEqual([])
    expect(removals.listGone(NEWCOMER, outlast(TIMING.graceMs))).toHaveLength(1)
  })
})
