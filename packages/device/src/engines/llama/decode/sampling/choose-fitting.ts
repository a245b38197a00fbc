// Draws one of a few candidates that fits. Finding out whether a candidate fits is expensive, so it is done as late as
// possible.

import type { Token } from '../../native/native.ts'
import { countKept, type Cuts } from './cut.ts'
import type { Random } from './seeded-random.ts'

export interface Candidate {
  token: Token
  logit: number
}

export interface DrawSettings extends Cuts {
  temperature: number
}

/** Candidates come with the likeliest first. Undefined if none fits. */
export function chooseFitting(
  candidates: readonly Candidate[],
  { temperature, ...cuts }: DrawSettings,
  fits: (token: Token) => boolean,
  random: Random,
): Token | undefined {
  const possible = candidates.filter(({ logit }) => logit !== Number.NEGATIVE_INFINITY)
  if (temperature === 0) return possible.find(({ token }) => fits(token))?.token
  if (!isCut(cuts)) return drawUntil(possible, temperature, fits, random)
  const fitting = possible.filter(({ token }) => fits(token))
  return drawUntil(keepTop(fitting, cuts), temperature, () => true, random)
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

function isCut({ topK = 0, topP = 1, minP = 0 }: Cuts): boolean {
  return topK > 0 || topP < 1 || minP > 0
}

function keepTop(candidates: readonly Candidate[], cuts: Cuts): readonly Candidate[] {
  const logits = candidates.map(({ logit }) => logit)
  return candidates.slice(0, countKept(logits, cuts, sum(weightsOf(candidates, 1))))
}

function weightsOf(candidates: readonly Candidate[], temperature: number): number[] {
  const most = candidates[0]?.logit ?? 0
  // Never 0, so that an unlikely candidate is still drawn when no other fits.
  return candidates.map(({ logit }) => Math.max(Math.exp((logit - most) / temperature), Number.MIN_VALUE))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
