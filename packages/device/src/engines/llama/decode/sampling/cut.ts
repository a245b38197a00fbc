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

/** How many of the sorted logits `topP` keeps, if `totalWeight` is the weight of the whole vocabulary; undefined if these aren't enough. */
export function countNucleus(sorted: readonly number[], totalWeight: number, topP: number): number | undefined {
  const [highest = 0] = sorted
  let sum = 0
  for (const [index, logit] of sorted.entries()) {
    sum += Math.exp(logit - highest)
    if (sum >= topP * totalWeight) return index + 1
  }
  return undefined
}

/** Draws an index from logits. */
export function drawIndex(logits: readonly number[], temperature: number, random: number): number {
  const [highest = 0] = logits
  const weights = logits.map((logit) => Math.exp((logit - highest) / temperature))
  let rest = random * weights.reduce((sum, weight) => sum + weight, 0)
  const index = weights.findIndex((weight) => (rest -= weight) < 0)
  return index === -1 ? weights.length - 1 : index
}
