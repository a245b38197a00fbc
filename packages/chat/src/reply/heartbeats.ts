// Sends an empty delta on streams that have been silent for a while, so that no client or proxy gives up on them. Comments would be cheaper,
// but several real clients break on them. One timer serves all streams.

export interface Beating {
  /** Called at regular intervals; the stream knows how long it has been silent. */
  beat(): void
}

/** Beats per heartbeat interval: silence is measured with this resolution. */
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
