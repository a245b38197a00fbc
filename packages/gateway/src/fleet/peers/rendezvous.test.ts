import { describe, expect, it } from 'vitest'
import { winnerOf } from './rendezvous.ts'

const NAMES = Array.from({ length: 10_000 }, (_, index) => `organization-${index}`)
const PEERS = ['ada', 'bo', 'cy', 'di', 'ed']

describe('winnerOf', () => {
  it('spreads names evenly', () => {
    const wins = new Map<string | undefined, number>()
    for (const name of NAMES) {
      const winner = winnerOf(name, PEERS)
      wins.set(winner, (wins.get(winner) ?? 0) + 1)
    }
    for (const peer of PEERS) {
      expect(wins.get(peer)).toBeGreaterThan(1_850)
      expect(wins.get(peer)).toBeLessThan(2_150)
    }
  })

  it('moves only names of the peer that leaves', () => {
    const others = PEERS.filter((peer) => peer !== 'cy')
    for (const name of NAMES) {
      const before = winnerOf(name, PEERS)
      if (before !== 'cy') expect(winnerOf(name, others)).toBe(before)
    }
  })

  it('moves names only to the peer that joins', () => {
    for (const name of NAMES) {
      const before = winnerOf(name, PEERS)
      expect([before, 'flo']).toContain(winnerOf(name, [...PEERS, 'flo']))
    }
  })

  it('does not depend on the order of the peers', () => {
    const reversed = PEERS.toReversed()
    for (const name of NAMES) expect(winnerOf(name, reversed)).toBe(winnerOf(name, PEERS))
  })

  it('is undefined without peers', () => {
    expect(winnerOf('acme', [])).toBeUndefined()
  })
})
