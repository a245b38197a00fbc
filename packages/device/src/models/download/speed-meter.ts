// Measures the speed of a download over its last few seconds, and estimates the time left.

import type { DownloadProgress } from '../../news.ts'

/** Long enough to be steady, short enough to show changes. */
const WINDOW_MS = 5_000
/** Chunks within this time count as one sample: a fast download has thousands per second. */
const STEP_MS = 100

export class SpeedMeter {
  readonly #now: () => number
  /** Bytes received over time, oldest first. */
  #samples: { at: number; bytes: number }[] = []
  #startedAt: number

  constructor(now: () => number) {
    this.#now = now
    this.#startedAt = now()
  }

  measure(doneBytes: number, addedBytes: number, totalBytes: number | undefined): DownloadProgress {
    const now = this.#now()
    this.#add(now, addedBytes)
    const spanMs = Math.max(1, Math.min(WINDOW_MS, now - this.#startedAt))
    const bytesPerSecond = (this.#samples.reduce((sum, { bytes }) => sum + bytes, 0) / spanMs) * 1000
    const progress = { doneBytes, bytesPerSecond }
    if (totalBytes === undefined) return progress
    if (bytesPerSecond === 0) return { ...progress, totalBytes }
    return { ...progress, totalBytes, secondsLeft: (totalBytes - doneBytes) / bytesPerSecond }
  }

  #add(now: number, bytes: number): void {
    const last = this.#samples.at(-1)
    if (last !== undefined && now - last.at < STEP_MS) last.bytes += bytes
    else this.#samples.push({ at: now, bytes })
    this.#samples = this.#samples.filter(({ at }) => at > now - WINDOW_MS)
  }
}
