// How often the tokens of a draft model turn out right in one stream, by how sure the draft was of them.

/** The highest confidence of each class. */
const CLASSES = [0.3, 0.5, 0.7, 0.85, 0.95, 1]
/** Until it is known better, a draft is right a little less often than it thinks. */
const FIRST = [0.15, 0.35, 0.55, 0.7, 0.85, 0.95]
/** Weight of the newest token in an average. */
const NEWEST = 0.1

export class ConfidenceOdds {
  readonly #odds = [...FIRST]

  of(confidence: number): number {
    return this.#odds[classOf(confidence)]!
  }

  learn(confidence: number, isRight: boolean): void {
    const index = classOf(confidence)
    this.#odds[index]! += ((isRight ? 1 : 0) - this.#odds[index]!) * NEWEST
  }
}

function classOf(confidence: number): number {
  const found = CLASSES.findIndex((most) => confidence <= most)
  return found === -1 ? CLASSES.length - 1 : found
}
