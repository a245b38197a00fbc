// Time that passes only from one thing that happens to the next.

import { RankedHeap, type Ranked } from '../core/ranked-heap.ts'
import type { Ms } from '../core/types.ts'

/** Something that will happen; its rank is when. */
export interface Happening extends Ranked {
  happen(): void
}

export class VirtualClock {
  now: Ms = 0
  readonly #coming = new RankedHeap<Happening>()

  /** When the next thing happens; infinite when nothing is to come. */
  get next(): Ms {
    return this.#coming.first()?.rank ?? Number.POSITIVE_INFINITY
  }

  /** Sets or moves a happening. */
  schedule(happening: Happening, afterMs: Ms): void {
    this.#coming.put(happening, this.now + afterMs)
  }

  after(afterMs: Ms, happen: () => void): void {
    this.schedule({ rank: 0, place: -1, happen }, afterMs)
  }

  cancel(happening: Happening): void {
    this.#coming.remove(happening)
  }

  /** Moves on to the next thing and lets it happen. */
  advance(): void {
    const happening = this.#coming.first()!
    this.#coming.remove(happening)
    this.now = happening.rank
    happening.happen()
  }
}
