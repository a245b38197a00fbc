// A stream that has begun and is silent for a while gets an empty delta, so that neither client nor proxy takes it for dead. Comments would
// be cheaper, but several real clients break on them. One timer serves all streams.

export interface Beating {
  /** Called at regular moments; the stream knows whether it was silent since the last ones. */
  beat(): void
}

/** Moments per heartbeat interval: silence is noticed with this resolution. */
export const BEATS_PER_INTERVAL = 3

export class Heartbeats {
  readonly #streams = new Set<Beating>()
  readonly #timer: NodeJS.Timeout

  constructor(intervalMs: number) {
    this.#timer = setInterval(() => this.#beat(), Math.max(1, intervalMs / BEATS_PER_INTERVAL)).unref()
  }

  add(stream: Beating): void {
    this.#streams.add(stream)
  }

  delete(stream: Beating): void {
    this.#streams.delete(stream)
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #beat(): void {
    for (const stream of this.#streams) stream.beat()
  }
}
