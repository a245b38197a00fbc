// A clock that jumps from one scheduled happening to the next.

import type { Clock } from '../../time/clock.ts'
import { RankedHeap, type Ranked } from '../../time/ranked-heap.ts'
import type { Ms } from '../terms/job.ts'

/** Something that will happen. Its rank is when. */
export interface Happening extends Ranked {
  happen(): void
}

export class VirtualClock {
  now: Ms = 0
  readonly #coming = new RankedHeap<Happening>()

  /** When the next thing happens; infinite if nothing is scheduled. */
  get next(): Ms {
    return this.#coming.first()?.rank ?? Number.POSITIVE_INFINITY
  }

  /** Schedules a happening, or moves it. */
  schedule(happening: Happening, afterMs: Ms): void {
    this.#coming.put(happening, this.now + afterMs)
  }

  after(afterMs: Ms, happen: () => void): void {
    this.schedule({ rank: 0, position: -1, happen }, afterMs)
  }

  /** For what knows only clocks. */
  asClock(): Clock {
    return {
      now: () => this.now,
      after: (ms, act) => {
        const happening = { rank: 0, position: -1, happen: act }
        this.schedule(happening, ms)
        return () => this.cancel(happening)
      },
    }
  }

  /** Runs everything that happens in this time. */
  pass(ms: Ms): void {
    const until = this.now + ms
    while (this.next <= until) this.advance()
    this.now = until
  }

  cancel(happening: Happening): void {
    this.#coming.remove(happening)
  }

  /** Jumps to the next happening and runs it. */
  advance(): void {
    const happening = this.#coming.first()!
    this.#coming.remove(happening)
    this.now = happening.rank
    happening.happen()
  }
}
