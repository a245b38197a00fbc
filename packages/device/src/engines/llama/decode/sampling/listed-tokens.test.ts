import { describe, expect, it } from 'vitest'
import { impliedShares } from '../../testing/draw-shares.ts'
import type { Cuts, Rest } from './cut.ts'
import { ListedTokens, type Candidate } from './listed-tokens.ts'
import { seededRandom } from './seeded-random.ts'

const SIZE = 200
const LISTED = 64
const CUTS: readonly Cuts[] = [
  {},
  { topP: 0 },
  { topP: 0.5 },
  { topP: 0.95 },
  { topK: 1 },
  { topK: 20 },
  { topK: 100 },
  { minP: 0.1 },
  { topK: 10, topP: 0.8 },
  { topK: 30, topP: 0.9, minP: 0.05 },
]

interface Made {
  candidates: Candidate[]
  rest: Rest
  logits: Map<number, number>
}

/** All tokens, and the 64 likeliest of them as they are listed. */
function make(random: () => number, spread: number): Made {
  const logits = Array.from({ length: SIZE }, () => spread * random()).toSorted((a, b) => b - a)
  const candidates = logits.slice(0, LISTED).map((logit, token) => ({ token, logit }))
  const weights = logits.map((logit) => Math.exp(logit - logits[0]!))
  const weight = weights.slice(LISTED).reduce((sum, one) => sum + one, 0)
  const rest = { count: SIZE - LISTED, weight, heaviest: weights[LISTED - 1]! }
  return { candidates, rest, logits: new Map(logits.map((logit, token) => [token, logit])) }
}

describe('ListedTokens', () => {
  it.each(CUTS)('never contradicts what all tokens that fit imply, whichever is asked for first: %j', (cuts) => {
    const random = seededRandom(20261117)
    for (let time = 0; time < 300; time++) {
      const { candidates, rest, logits } = make(random, 1 + 20 * random())
      const share = random()
      const fitting = new Set(Array.from({ length: SIZE }, (_, token) => token).filter(() => random() < share))
      const kept = impliedShares(logits, (token) => fitting.has(token), { temperature: 1, ...cuts })
      const listed = new ListedTokens(candidates, rest, cuts, (token) => fitting.has(token))
      for (let asked = 0; asked < 10; asked++) {
        const index = Math.floor(random() * (LISTED + 1))
        const isKept = listed.isKept(index)
        if (index < LISTED) expect([kept.has(index), undefined]).toContain(isKept)
        else if (isKept === false) expect([...kept.keys()].every((token) => token < LISTED)).toBe(true)
      }
    }
  })

  it('knows every listed token if the rest weighs next to nothing', () => {
    const { candidates } = make(seededRandom(5), 9)
    const rest = { count: SIZE - LISTED, weight: 1e-12, heaviest: 1e-12 }
    for (const cuts of CUTS) {
      const listed = new ListedTokens(candidates, rest, cuts, () => true)
      for (const index of candidates.keys()) expect(listed.isKept(index)).toBeDefined()
    }
  })

  it('compares no more tokens than it has to', () => {
    const asked: number[] = []
    const candidates = [9, 5, 4, 3].map((logit, token) => ({ token, logit }))
    const rest = { count: 100, weight: 1e-3, heaviest: 1e-5 }
    const listed = new ListedTokens(candidates, rest, { topP: 0.9 }, (token) => asked.push(token) > 0)
    expect(listed.isKept(0)).toBe(true)
    expect(listed.isKept(2)).toBe(false)
    expect(listed.isKept(candidates.length)).toBe(false)
    expect(asked).toEqual([0, 2])
  })
})
