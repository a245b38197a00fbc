// How much of the process's time something may take. What a device sends costs time to read, and no count of bytes or frames says how much:
// a megabyte of text takes a millisecond, a megabyte of tiny objects a hundred. So the time itself is counted. A second's share may be used
// up at once; after that comes a wait. A device that is not read for a while is slowed down by the network, and nothing is lost.

/** Reading is never faster than this. It counts even if the clock shows less. */
export const BYTES_PER_MS = 64 * 1024

export class LoopShare {
  readonly #share: number
  /** A second's share, in milliseconds. Nobody can be further ahead or behind, however long the machine slept. */
  readonly #mostMs: number
  #leftMs: number
  #at: number

  /** `share` is the part of each second that may be used, from 0 to 1. */
  constructor(share: number, now: number) {
    this.#share = share
    this.#mostMs = 1_000 * share
    this.#leftMs = this.#mostMs
    this.#at = now
  }

  /** Milliseconds to wait before the next use; 0 while some of the share is left. */
  spend(tookMs: number, bytes: number, now: number): number {
    const refilledMs = Math.min(this.#mostMs, this.#leftMs + (now - this.#at) * this.#share)
    this.#leftMs = Math.max(-this.#mostMs, refilledMs - Math.max(tookMs, bytes / BYTES_PER_MS))
    this.#at = now
    return this.#leftMs >= 0 ? 0 : Math.ceil(-this.#leftMs / this.#share)
  }
}
