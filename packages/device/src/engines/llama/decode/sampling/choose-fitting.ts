// Draws one of a few candidates that fits. Finding out whether a candidate fits is expensive, so it is done as late as
// possible.

import type { Token } from '../../native/native.ts'
import type { Random } from './seeded-random.ts'

export interface Candidate {
  token: Token
  logit: number
}

export interface DrawSettings {
  temperature: number
  topP?: number
}

/** Candidates come with the likeliest first. Undefined if none fits. */
export function chooseFitting(
  candidates: readonly Candidate[],
  { temperature, topP = 1 }: DrawSettings,
  fits: (token: Token) => boolean,
  random: Random,
): Token | undefined {
  const possible = candidates.filter(({ logit }) => logit !== Number.NEGATIVE_INFINITY)
  if (temperature === 0) return possible.find(({ token }) => fits(token))?.token
  if (topP === 1) return drawUntil(possible, temperature, fits, random)
  const fitting = possible.filter(({ token }) => fits(token))
  return drawUntil(keepTop(fitting, topP), temperature, () => true, random)
}

/** Draws again without those that don't fit. That is as likely to return each fitting token as a draw from these alone. */
function drawUntil(
  candidates: readonly Candidate[],
  temperature: number,
  fits: (token: Token) => boolean,
  random: Random,
): Token | undefined {
  const weights = weightsOf(candidates, temperature)
  let left = candidates.length
  for (; left > 0; left--) {
    const index = drawIndex(weights, random())
    const token = candidates[index]?.token
    if (token !== undefined && fits(token)) return token
    weights[index] = 0
  }
  return undefined
}

function drawIndex(weights: readonly number[], random: number): number {
  let rest = random * sum(weights)
  const drawn = weights.findIndex((weight) => weight > 0 && (rest -= weight) < 0)
  return drawn === -1 ? weights.findLastIndex((weight) => weight > 0) : drawn
}

/** The likeliest candidates whose shares together reach `topP`. */
function keepTop(candidates: readonly Candidate[], topP: number): readonly Candidate[] {
  const weights = weightsOf(candidates, 1)
  let rest = topP * sum(weights)
  const last = weights.findIndex((weight) => (rest -= weight) <= 0)
  return last === -1 ? candidates : candidates.slice(0, last + 1)
}

function weightsOf(candidates: readonly Candidate[], temperature: number): number[] {
  const most = candidates[0]?.logit ?? 0
  // Never 0, so that an unlikely candidate is still drawn when no other fits.
  return candidates.map(({ logit }) => Math.max(Math.exp((logit - most) / temperature), Number.MIN_VALUE))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
