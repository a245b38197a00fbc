// How fast a device is with a model, as measured: loading it, reading a prompt, answering.

import type { Ms } from '../../../terms/job.ts'
import { LineFit } from './line-fit.ts'

/** Fast on purpose, so that a new device is soon tried. */
const FIRST_GUESS_MS_PER_CHARACTER = 0.1
/** For a device that has not answered anything yet: a small model on a laptop. */
const FIRST_GUESS_MS_PER_TOKEN = 30
const LATEST_LOAD = 0.2
const LATEST_ANSWER = 0.1
/** A shorter answer says less about the speed. */
const TELLING_TOKENS = 16
/** A step that takes longer than expected is likely to take a part of that time again. */
const OVERDUE = 0.2

export class Pace {
  /** The time to the first event, by the characters of the prompt. */
  readonly reading = new LineFit(FIRST_GUESS_MS_PER_CHARACTER)
  #msPerToken: Ms | undefined
  #loadMs: Ms | undefined

  hasAnswered(tokens: number, tookMs: Ms): void {
    if (tokens === 0) return
    this.#msPerToken = blend(this.#msPerToken, tookMs / tokens, LATEST_ANSWER * Math.min(1, tokens / TELLING_TOKENS))
  }

  hasLoaded(tookMs: Ms): void {
    this.#loadMs = blend(this.#loadMs, tookMs, LATEST_LOAD)
  }

  /** False before the first measurement. */
  get isMeasured(): boolean {
    return !this.reading.isEmpty || this.#msPerToken !== undefined || this.#loadMs !== undefined
  }

  get msPerToken(): Ms {
    return this.#msPerToken ?? FIRST_GUESS_MS_PER_TOKEN
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
