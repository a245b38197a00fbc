// Whether tokens are drawn as often as they have to be: shares are computed from all logits, from all tokens that fit, and from nothing else.

import { expect } from 'vitest'
import type { Draw } from '../decode/sampling/cut-draw.ts'
import type { Cuts } from '../decode/sampling/cut.ts'
import type { Token } from '../native/native.ts'

/** `top_k`, `top_p` and `min_p` choose among the tokens that fit, in this order and before the temperature. */
export function impliedShares(
  logits: ReadonlyMap<Token, number>,
  fits: (token: Token) => boolean,
  { temperature, topK, topP = 1, minP = 0 }: Cuts & { temperature: number },
): Map<Token, number> {
  const fitting = [...logits].filter(([token, logit]) => logit !== Number.NEGATIVE_INFINITY && fits(token))
  const sorted = fitting.toSorted((a, b) => b[1] - a[1]).slice(0, topK)
  const highest = sorted[0]?.[1] ?? 0
  const weightOf = (logit: number, heat: number) => Math.exp((logit - highest) / heat)
  const share = topP * total(sorted.map(([, logit]) => weightOf(logit, 1)))
  let sum = 0
  const kept = sorted.filter(([, logit], index) => {
    const isKept = index === 0 || topP === 1 || sum < share
    sum += weightOf(logit, 1)
    return isKept && weightOf(logit, 1) >= minP
  })
  const whole = total(kept.map(([, logit]) => weightOf(logit, temperature)))
  return new Map(kept.map(([token, logit]) => [token, weightOf(logit, temperature) / whole]))
}

/** How far counts are from shares: the squared differences, and how large they are by chance alone. */
export interface Deviation {
  squares: number
  freedom: number
}

/** Pearson's test. Tokens too rare to be tested on their own are tested together. */
export function deviation(counts: ReadonlyMap<Token, number>, shares: ReadonlyMap<Token, number>): Deviation {
  const times = total([...counts.values()])
  const bins: { count: number; expected: number }[] = []
  const rare = { count: 0, expected: 0 }
  for (const [token, share] of shares) {
    const bin = { count: counts.get(token) ?? 0, expected: share * times }
    if (bin.expected >= 5) bins.push(bin)
    else {
      rare.count += bin.count
      rare.expected += bin.expected
    }
  }
  if (rare.expected > 0) bins.push(rare)
  // A share that is nearly 0 would turn one unlikely draw into an alarm.
  const squares = total(bins.map(({ count, expected }) => (count - expected) ** 2 / Math.max(expected, 0.5)))
  return { squares, freedom: bins.length - 1 }
}

/** Every token was drawn about as often as its share says, and no token without a share. */
export function expectShares(counts: ReadonlyMap<Token, number>, shares: ReadonlyMap<Token, number>): void {
  expect([...counts.keys()].filter((token) => !shares.has(token))).toEqual([])
  expect(surprise(deviation(counts, shares))).toBeLessThan(4)
}

/** How many standard deviations such squares are from what chance alone makes of them (Wilson and Hilferty). */
export function surprise({ squares, freedom }: Deviation): number {
  if (freedom === 0) return 0
  const spread = 2 / (9 * freedom)
  return (Math.cbrt(squares / freedom) - (1 - spread)) / Math.sqrt(spread)
}

/** How often each token is drawn at that place. */
export async function countDraws(draw: Draw, at: number, times: number): Promise<Map<Token, number>> {
  const counts = new Map<Token, number>()
  for (let time = 0; time < times; time++) {
    const token = await draw.draw(at)
    counts.set(token, (counts.get(token) ?? 0) + 1)
  }
  draw.dispose()
  return counts
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}
