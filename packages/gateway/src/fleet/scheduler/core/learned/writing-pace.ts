// How long a device takes for a token, by the jobs beside: a straight line that turns a little toward each measured answer. Kept in whole
// microseconds: such numbers are part of their object, and every lease reads and changes them.

import type { Ms } from '../../../terms/job.ts'

const MICROS = 1_000
const SLOWEST = 1e9
/** At first, each job beside is expected to slow the others by this part. */
const FIRST_SLOWDOWN = 0.1
const LATEST = 0.25
/** A shorter answer says less about the speed. */
const TELLING_TOKENS = 16
/** One answer that is far off, such as of a device that stood still, must not spoil the next ones. Several in a row are believed. */
const LARGEST_JUMP = 2

export class WritingPace {
  isMeasured = false
  #alone = 0
  #perJob = 0

  constructor(firstGuess: Ms) {
    this.#set(firstGuess * MICROS, firstGuess * MICROS * FIRST_SLOWDOWN)
  }

  /** With this many other jobs. */
  msPerToken(beside: number): Ms {
    return (this.#alone + this.#perJob * beside) / MICROS
  }

  /** `beside` is how many other jobs it had on average. The first answer replaces the guess. */
  add(tokens: number, tookMs: Ms, beside: number): void {
    const measured = (tookMs / tokens) * MICROS
    const alone = measured / (1 + FIRST_SLOWDOWN * beside)
    if (this.isMeasured) this.#turn(measured, beside, Math.min(1, tokens / TELLING_TOKENS))
    else this.#set(alone, FIRST_SLOWDOWN * alone)
    this.isMeasured = true
  }

  #turn(measured: number, beside: number, weight: number): void {
    const expected = this.#alone + this.#perJob * beside
    const error = Math.min(measured, LARGEST_JUMP * expected) - expected
    const step = (LATEST * weight * error) / (1 + beside * beside)
    this.#set(this.#alone + step, this.#perJob + step * beside)
  }

  /** No job beside makes a device faster, and none slows it by more than itself. */
  #set(alone: number, perJob: number): void {
    this.#alone = Math.round(Math.min(Math.max(1, alone), SLOWEST))
    this.#perJob = Math.round(Math.min(Math.max(0, perJob), this.#alone))
  }
}
