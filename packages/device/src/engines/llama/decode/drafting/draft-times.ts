// How long the draft model takes, as measured, and how much of that may be wasted.

import { averageTime } from '../average-time.ts'

/** Fewer tokens cost time per decode, not per token. */
const MANY = 32
/** Of the time of all steps: for streams that drafts don't pay for. They are tried again when that covers the cost. */
const WASTE_SHARE = 0.01
/** Reading a prompt may make a step this much longer. */
const READING_SHARE = 0.25
/** Tokens to read in one step before it is known how long they take. */
const FIRST_PIECE = { cpu: 64, gpu: 256 }
const LEAST_PIECE = 16

export class DraftTimes {
  readonly #firstPiece: number
  #decodeMs: number | undefined
  #tokenMs: number | undefined
  #allowanceMs = 0

  constructor(gpu: string | false) {
    this.#firstPiece = gpu === false ? FIRST_PIECE.cpu : FIRST_PIECE.gpu
  }

  /** Of a decode with one token of each stream. 0 if it is unknown. */
  get decodeMs(): number {
    return this.#decodeMs ?? 0
  }

  /** The most tokens to read in a step that takes this long otherwise. */
  piece(stepMs: number): number {
    if (this.#tokenMs === undefined) return this.#firstPiece
    return Math.max(LEAST_PIECE, Math.floor((stepMs * READING_SHARE) / this.#tokenMs))
  }

  learn(tokens: number, streams: number, ms: number): void {
    if (tokens >= MANY) this.#tokenMs = averageTime(this.#tokenMs, ms / tokens)
    else if (tokens <= 2 * streams) this.#decodeMs = averageTime(this.#decodeMs, ms)
  }

  onStep(ms: number): void {
    this.#allowanceMs += ms * WASTE_SHARE
  }

  /** Whether so many tokens may be read, and one drafted, although that may be in vain. */
  canWaste(tokens: number): boolean {
    return this.#allowanceMs > tokens * (this.#tokenMs ?? 0) + this.decodeMs
  }

  waste(ms: number): void {
    this.#allowanceMs -= ms
  }
}
