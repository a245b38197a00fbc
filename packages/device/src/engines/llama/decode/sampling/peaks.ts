// Whether to look for a few likely tokens first, or to draw from a large part of the vocabulary at once: where many tokens were likely, the
// next place is mostly no better. Nothing of it depends on what is drawn at the place itself, so it changes no share.

/** Below this share of places where few tokens were likely, it is faster not to look. */
const LEAST_SUCCESS = 0.6
/** Weight of the newest place in that share. */
const NEWEST = 0.1
/** After so many draws without a look, there is another one. */
const LOOK_EVERY = 16

export class Peaks {
  #success = LEAST_SUCCESS
  #unseen = 0

  get isLikely(): boolean {
    return this.#success >= LEAST_SUCCESS
  }

  /** Counts the draw. */
  isWorthALook(): boolean {
    const isWorth = this.isLikely || ++this.#unseen >= LOOK_EVERY
    if (isWorth) this.#unseen = 0
    return isWorth
  }

  note(isPeaked: boolean): void {
    this.#success += (Number(isPeaked) - this.#success) * NEWEST
  }
}
