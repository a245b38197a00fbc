// Tells the gateway which downloads run on this machine: those that people asked for in the console, and the app's own.

import type { Download } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import type { PullNews } from '../news.ts'

/** The protocol allows download progress at most this often. */
const TOLD_MS = 1_000

export class DownloadNews {
  readonly #clock: Clock
  readonly #tell: (downloads: readonly Download[]) => void
  readonly #remote: () => readonly Download[]
  /** The starter model, or what a GPU needs. */
  #own: Download | undefined
  #toldAt = Number.NEGATIVE_INFINITY
  #cancelNext: (() => void) | undefined

  constructor(clock: Clock, remote: () => readonly Download[], tell: (downloads: readonly Download[]) => void) {
    this.#clock = clock
    this.#remote = remote
    this.#tell = tell
  }

  pulled(news: PullNews): void {
    if (news.type !== 'progress') return
    const { doneBytes, totalBytes, bytesPerSecond } = news.progress
    this.#own = {
      model: news.label,
      doneBytes,
      ...(totalBytes !== undefined && { totalBytes }),
      bytesPerSecond: Math.round(bytesPerSecond),
    }
    this.changed()
  }

  ended(): void {
    this.#own = undefined
    this.#now()
  }

  /** At once, or as soon as the protocol allows. */
  changed(): void {
    const waitMs = this.#toldAt + TOLD_MS - this.#clock.now()
    if (waitMs <= 0) this.#now()
    else this.#cancelNext ??= this.#clock.after(waitMs, () => this.#now())
  }

  stop(): void {
    this.#cancelNext?.()
  }

  #now(): void {
    this.#cancelNext?.()
    this.#cancelNext = undefined
    this.#toldAt = this.#clock.now()
    this.#tell([...this.#remote(), ...(this.#own === undefined ? [] : [this.#own])])
  }
}
