// The downloads on this machine: those that people asked for in the console, and the app's own. Tells the gateway, the status and the owner.

import type { Download } from '@hearth/protocol'
import type { Clock } from '../../clock.ts'
import type { PullNews } from '../../news.ts'
import type { DeviceStatus } from '../../state/status-file.ts'

export interface DownloadNewsOptions {
  clock: Clock
  /** Those that people asked for in the console. */
  asked: () => readonly Download[]
  tell: (downloads: Download[]) => void
  onNews: (news: PullNews) => void
}

/** The protocol allows download progress at most this often. */
const TOLD_MS = 1_000

export class DownloadNews {
  readonly #options: DownloadNewsOptions
  /** The starter model, or what a GPU needs. */
  #own: Download | undefined
  #pulling: DeviceStatus['pulling']
  #toldAt = Number.NEGATIVE_INFINITY
  #cancelNext: (() => void) | undefined

  constructor(options: DownloadNewsOptions) {
    this.#options = options
  }

  /** For the status: the download that runs. */
  get pulling(): DeviceStatus['pulling'] {
    return this.#pulling
  }

  /** News of a download that the app itself started. */
  pulled(news: PullNews): void {
    if (news.type === 'progress') {
      const { doneBytes, totalBytes, bytesPerSecond } = news.progress
      const total = totalBytes === undefined ? {} : { totalBytes }
      this.#own = { model: news.label, doneBytes, ...total, bytesPerSecond: Math.round(bytesPerSecond) }
      this.changed()
    }
    this.#note(news, {})
  }

  pullEnded(): void {
    this.#pulling = undefined
    this.#own = undefined
    this.#tellNow()
  }

  /** News of a download that somebody asked for in the console. */
  askedPulled(news: PullNews, by: string): void {
    this.#note(news, { by })
  }

  askedEnded(): void {
    this.#pulling = undefined
  }

  /** Tells the gateway at once, or as soon as the protocol allows. */
  changed(): void {
    const { clock } = this.#options
    const waitMs = this.#toldAt + TOLD_MS - clock.now()
    if (waitMs <= 0) this.#tellNow()
    else this.#cancelNext ??= clock.after(waitMs, () => this.#tellNow())
  }

  stop(): void {
    this.#cancelNext?.()
  }

  #note(news: PullNews, by: { by?: string }): void {
    this.#pulling = news.type === 'progress' ? { label: news.label, progress: news.progress, ...by } : undefined
    this.#options.onNews(news)
  }

  #tellNow(): void {
    const { clock, asked, tell } = this.#options
    this.#cancelNext?.()
    this.#cancelNext = undefined
    this.#toldAt = clock.now()
    tell([...asked(), ...(this.#own === undefined ? [] : [this.#own])])
  }
}
