// How fast a download is, over its last seconds, and how long it will still take.

export interface DownloadProgress {
  doneBytes: number
  /** Absent when the server does not say. */
  totalBytes?: number
  bytesPerSecond: number
  /** Absent while it cannot be known. */
  secondsLeft?: number
}

/** Long enough to be steady, short enough to notice a change. */
const WINDOW_MS = 5_000

export class SpeedMeter {
  readonly #now: () => number
  /** What came when, oldest first. */
  #samples: { at: number; bytes: number }[] = []
  #startedAt: number

  constructor(now: () => number) {
    this.#now = now
    this.#startedAt = now()
  }

  measure(doneBytes: number, addedBytes: number, totalBytes: number | undefined): DownloadProgress {
    const now = this.#now()
    this.#samples.push({ at: now, bytes: addedBytes })
    this.#samples = this.#samples.filter(({ at }) => at > now - WINDOW_MS)
    const spanMs = Math.max(1, Math.min(WINDOW_MS, now - this.#startedAt))
    const bytesPerSecond = (this.#samples.reduce((sum, { bytes }) => sum + bytes, 0) / spanMs) * 1000
    const progress = { doneBytes, bytesPerSecond }
    if (totalBytes === undefined) return progress
    if (bytesPerSecond === 0) return { ...progress, totalBytes }
    return { ...progress, totalBytes, secondsLeft: (totalBytes - doneBytes) / bytesPerSecond }
  }
}
