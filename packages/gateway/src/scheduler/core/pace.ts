// How fast a device is with a model, as measured: loading it, reading a prompt, answering.

import { expectPromptMs, FIRST_GUESS_MS_PER_CHARACTER } from './prompt-speed.ts'
import type { Ms } from './types.ts'
import { LineFit } from './line-fit.ts'

/** For a device that has not answered anything yet: a small model on a laptop. */
const FIRST_GUESS_MS_PER_TOKEN = 30
const KEPT = 0.8
/** What takes longer than expected is likely to take a part of that time again. */
const OVERDUE = 0.2

export class Pace {
  readonly #prompt = new LineFit()
  #answerMs = 0
  #answerTokens = 0
  #loadMs: Ms | undefined

  /** `characters` of the prompt were read, from the offer to the first event. */
  hasRead(characters: number, tookMs: Ms): void {
    this.#prompt.add(characters, tookMs)
  }

  hasAnswered(tokens: number, tookMs: Ms): void {
    this.#answerMs = this.#answerMs * KEPT + tookMs
    this.#answerTokens = this.#answerTokens * KEPT + tokens
  }

  hasLoaded(tookMs: Ms): void {
    this.#loadMs = this.#loadMs === undefined ? tookMs : this.#loadMs * KEPT + tookMs * (1 - KEPT)
  }

  readMs(characters: number): Ms {
    return this.#prompt.isEmpty ? expectPromptMs(FIRST_GUESS_MS_PER_CHARACTER, characters) : this.#prompt.at(characters)
  }

  get msPerToken(): number {
    return this.#answerTokens === 0 ? FIRST_GUESS_MS_PER_TOKEN : this.#answerMs / this.#answerTokens
  }

  /** `announced` is what the device says: it doesn't know how long it waits for room in its memory. */
  loadMs(announced: Ms): Ms {
    return this.#loadMs ?? announced
  }
}

/** What is left of something that was expected to take `expectedMs`. */
export function leftOf(expectedMs: Ms, elapsedMs: Ms): Ms {
  return Math.max(expectedMs - elapsedMs, OVERDUE * elapsedMs)
}
