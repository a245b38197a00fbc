// How fast a device is with a model, as measured: loading it, reading a prompt, answering.

import type { Ms } from '../../../terms/job.ts'
import { LineFit } from './line-fit.ts'
import { WritingPace } from './writing-pace.ts'

/** Fast on purpose, so that a new device is soon tried. */
const FIRST_GUESS_MS_PER_CHARACTER = 0.1
/** For a device that has not answered anything yet. Fast on purpose, too. */
const FIRST_GUESS_MS_PER_TOKEN = 5
const LATEST_LOAD = 0.2
/** A step that takes longer than expected is likely to take a part of that time again. */
const OVERDUE = 0.2

export class Pace {
  /** The time to the first event, by the characters of the prompt. */
  readonly reading = new LineFit(FIRST_GUESS_MS_PER_CHARACTER)
  readonly writing = new WritingPace(FIRST_GUESS_MS_PER_TOKEN)
  #loadMs: Ms | undefined

  hasLoaded(tookMs: Ms): void {
    this.#loadMs = blend(this.#loadMs, tookMs, LATEST_LOAD)
  }

  /** False before the first measurement. */
  get isMeasured(): boolean {
    return !this.reading.isEmpty || this.writing.isMeasured || this.#loadMs !== undefined
  }

  /** `announced` is what the device says: it doesn't know how long it waits for room in its memory. */
  loadMs(announced: Ms): Ms {
    return this.#loadMs ?? announced
  }
}

function blend(before: Ms | undefined, latest: Ms, weight: number): Ms {
  return before === undefined ? latest : before + weight * (latest - before)
}

/** The time left of a step that was expected to take `expectedMs`. */
export function leftOf(expectedMs: Ms, elapsedMs: Ms): Ms {
  return Math.max(expectedMs - elapsedMs, OVERDUE * elapsedMs)
}
