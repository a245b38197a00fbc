import { describe, expect, it } from 'vitest'
import { winnerOf } from './rendezvous.ts'

const NAMES = Array.from({ length: 10_000 }, (_, index) => `organization-${index}`)
const MEMBERS = ['ada', 'bo', 'cy', 'di', 'ed']

describe('winnerOf', () => {
  it('spreads names evenly', () => {
    const wins = new Map<string | undefined, number>()
    for (const name of NAMES) {
      const winner = winnerOf(name, MEMBERS)
      wins.set(winner, (wins.get(winner) ?? 0) + 1)
    }
    for (const member of MEMBERS) {
      expect(wins.get(member)).toBeGreaterThan(1_850)
      expect(wins.get(member)).toBeLessThan(2_150)
    }
  })

  it('moves only names of the member that leaves', () => {
    const others = MEMBERS.filter((member) => member !== 'cy')
    for (const name of NAMES) {
      const before = winnerOf(name, MEMBERS)
      if (before !== 'cy') expect(winnerOf(name, others)).toBe(before)
    }
  })

  it('moves names only to the member that joins', () => {
    for (const name of NAMES) {
      const before = winnerOf(name, MEMBERS)
      expect([before, 'flo']).toContain(winnerOf(name, [...MEMBERS, 'flo']))
    }
  })

  it('does not depend on the order of the members', () => {
    const reversed = MEMBERS.toReversed()
    for (const name of NAMES) expect(winnerOf(name, reversed)).toBe(winnerOf(name, MEMBERS))
  })

  it('is undefined without members', () => {
    expect(winnerOf('acme', [])).toBeUndefined()
  })
})
