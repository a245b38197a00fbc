// Whether tokens are drawn as often as their logits say.

import { expect } from 'vitest'
import type { Draw } from '../decode/sampling/cut-draw.ts'
import type { Token } from '../native/native.ts'

/** The likeliest token weighs 1. */
export function weightsOf(logits: ReadonlyMap<Token, number>, temperature: number): Map<Token, number> {
  const max = Math.max(...logits.values())
  return new Map([...logits].map(([token, logit]) => [token, Math.exp((logit - max) / temperature)]))
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

/** The summed differences between counts and weights, as a multiple of what chance alone makes of them. */
export function distance(counts: ReadonlyMap<Token, number>, weights: ReadonlyMap<Token, number>): number {
  const total = sum(weights.values())
  const times = sum(counts.values())
  const shares = new Map([...weights].map(([token, weight]) => [token, weight / total]))
  for (const token of counts.keys()) expect(shares.has(token)).toBe(true)
  const found = sum([...shares].map(([token, share]) => Math.abs((counts.get(token) ?? 0) / times - share)))
  return found === 0
    ? 0
    : found / sum([...shares.values()].map((share) => Math.sqrt((2 * share * (1 - share)) / (Math.PI * times))))
}

function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}
