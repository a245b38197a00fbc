// The arithmetic of drawing from part of the vocabulary without changing the distribution. Weights are relative to the likeliest token,
// which weighs 1. Tokens lighter than a threshold form the tail; the others are the head. The threshold is so low that the whole tail can't
// weigh more than MAX_TAIL, whatever the logits are. So almost every draw can ignore the tail: only if a random number falls into its
// possible weight does the draw need the real one.

/**
 * A larger tail makes the head smaller and faster to draw from, but the real weight of the tail is needed more often. Finding it out takes
 * eight times as long as a draw, and all streams of a step wait for it.
 */
export const MAX_TAIL = 0.02

/** No head makes it more likely than this that a draw has to look at the tail. */
export const MAX_ASK = askProbability(1)

/** A head of this weight has so many tokens that drawing from the whole vocabulary is faster. */
export const MAX_HEAD = 4096

/** How much a cut may change a distribution (total variation) if nothing makes up for the tail. */
const MAX_CHANGE = 1e-4

/** The native sampler compares tokens before it applies the temperature. */
export function headThreshold(vocabularySize: number, temperature: number): number {
  return (MAX_TAIL / vocabularySize) ** temperature
}

/** A threshold so low that the tail doesn't matter. */
export function negligibleThreshold(vocabularySize: number, temperature: number): number {
  return (MAX_CHANGE / vocabularySize) ** temperature
}

/** The probability that a draw has to look at the tail. */
export function askProbability(headWeight: number): number {
  return MAX_TAIL / (headWeight + MAX_TAIL)
}

/** The probability that such a draw takes a token of the tail: together, the tail gets exactly its share of the whole weight. */
export function tailProbability(headWeight: number, tailWeight: number): number {
  const inTail = Math.min(1, tailWeight / MAX_TAIL)
  return inTail + (1 - inTail) * (tailWeight / (headWeight + tailWeight))
}

/** Keeps the likeliest tokens, in this order: so many of them, their share of the whole, and at least so likely next to the likeliest. */
export interface Cuts {
  topK?: number
  topP?: number
  minP?: number
}

export function isCut({ topK = 0, topP = 1, minP = 0 }: Cuts): boolean {
  return topK > 0 || topP < 1 || minP > 0
}

/** Those that are kept, which come with the likeliest first. If there are others behind them, `whole` is the weight of all. */
export function keepLikeliest<Kept extends { logit: number }>(
  sorted: readonly Kept[],
  cuts: Cuts,
  whole?: number,
): Kept[] {
  const { topK = sorted.length, topP = 1, minP = 0 } = cuts
  const likeliest = sorted.slice(0, topK)
  const weights = likeliest.map(({ logit }) => Math.exp(logit - sorted[0]!.logit))
  const share = topP * (whole ?? sumOf(weights))
  let sum = 0
  const last = topP === 1 ? -1 : weights.findIndex((weight) => (sum += weight) >= share)
  const unlikely = weights.findIndex((weight) => weight < minP)
  const counts = [last + 1, unlikely, weights.length].filter((count) => count > 0)
  return likeliest.slice(0, Math.min(...counts))
}

function sumOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0)
}

/** Draws an index from logits, which have the highest first. */
export function drawIndex(logits: readonly number[], temperature: number, random: number): number {
  const [highest = 0] = logits
  const weights = logits.map((logit) => Math.exp((logit - highest) / temperature))
  return drawWeighted(weights, random) ?? weights.length - 1
}

/** Draws an index; undefined if nothing weighs anything. */
export function drawWeighted(weights: readonly number[], random: number): number | undefined {
  let rest = random * sumOf(weights)
  const index = weights.findIndex((weight) => weight > 0 && (rest -= weight) < 0)
  const drawn = index === -1 ? weights.findLastIndex((weight) => weight > 0) : index
  return drawn === -1 ? undefined : drawn
}

/** Tokens that are not listed, after those that are. Their weights are next to the likeliest of all, which weighs 1. */
export interface Rest {
  count: number
  /** Together, at most. */
  weight: number
  /** Each of them, at most. */
  heaviest: number
}

/** The most that the rest can weigh at a temperature, whatever the logits are. */
export function heatedWeight({ count, weight, heaviest }: Rest, temperature: number): number {
  // Cold makes each token lighter by at least as much as the heaviest. Heat helps most if all weigh the same (Hölder).
  return temperature <= 1
    ? weight * heaviest ** (1 / temperature - 1)
    : count ** (1 - 1 / temperature) * weight ** (1 / temperature)
}

/** What all `count` tokens can weigh at most if 32-bit floats added up to `sum`. */
export function withoutRounding(sum: number, count: number): number {
  return sum * (1 + count * 2 ** -23)
}
