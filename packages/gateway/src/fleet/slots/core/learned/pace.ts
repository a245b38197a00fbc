// How fast a device is with a model, as measured: loading it, reading a prompt, answering.

import { expectPromptMs, FIRST_GUESS_MS_PER_CHARACTER } from './prompt-speed.ts'
import type { Ms } from '../../../terms/job.ts'
import { LineFit } from './line-fit.ts'

/** For a device that has not answered anything yet: a small model on a laptop. */
const FIRST_GUESS_MS_PER_TOKEN = 30
const KEPT = 0.8
/** A prompt takes some time however short it is. */
const PROMPT = { spread: 200, fixed: 256 }
/** Jobs that run together slow each other down. */
const BUSY = { spread: 1, fixed: 8 }
/** A shorter answer says less about the speed. */
const TELLING_TOKENS = 16
/** A step that takes longer than expected is likely to take a part of that time again. */
const OVERDUE = 0.2

export class Pace {
  readonly #prompt = new LineFit(PROMPT)
  readonly #answer = new LineFit(BUSY)
  #loadMs: Ms | undefined

  /** `characters` of the prompt were read, from the offer to the first event. */
  hasRead(characters: number, tookMs: Ms): void {
    this.#prompt.add(characters, tookMs)
  }

  /** The device worked on `busy` jobs at that time, this one included. */
  hasAnswered(tokens: number, tookMs: Ms, busy: number): void {
    if (tokens > 0) this.#answer.add(busy, tookMs / tokens, Math.min(1, tokens / TELLING_TOKENS))
  }

  hasLoaded(tookMs: Ms): void {
    this.#loadMs = this.#loadMs === undefined ? tookMs : this.#loadMs * KEPT + tookMs * (1 - KEPT)
  }

  /** False before the first measurement. */
  get isMeasured(): boolean {
    return !this.#prompt.isEmpty || !this.#answer.isEmpty || this.#loadMs !== undefined
  }

  readMs(characters: number): Ms {
    return this.#prompt.isEmpty ? expectPromptMs(FIRST_GUESS_MS_PER_CHARACTER, characters) : this.#prompt.at(characters)
  }

  msPerToken(busy: number): number {
    return this.#answer.isEmpty ? FIRST_GUESS_MS_PER_TOKEN : this.#answer.at(busy)
  }

  /** `announced` is what the device says: it doesn't know how long it waits for room in its memory. */
  loadMs(announced: Ms): Ms {
    return this.#loadMs ?? announced
  }
}

/** The time left of a step that was expected to take `expectedMs`. */
export function leftOf(expectedMs: Ms, elapsedMs: Ms): Ms {
  return Math.max(expectedMs - elapsedMs, OVERDUE * elapsedMs)
}
