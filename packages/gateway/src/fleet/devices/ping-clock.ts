// Measures how long a message takes to a device and back, from the pings that are sent anyway.

/** Weight of the newest measurement. A single slow one, behind a large message, says little. */
const NEWEST = 0.3

export class PingClock {
  /** In milliseconds. Undefined before the first pong. */
  latencyMs: number | undefined
  #pingedAt: number | undefined

  ping(now: number): void {
    // A device that hasn't answered the last ping yet gets no credit for answering it late.
    this.#pingedAt ??= now
  }

  /** True for the first measurement. A pong without a ping says nothing. */
  pong(now: number): boolean {
    if (this.#pingedAt === undefined) return false
    const isFirst = this.latencyMs === undefined
    const ms = now - this.#pingedAt
    this.#pingedAt = undefined
    this.latencyMs = this.latencyMs === undefined ? ms : this.latencyMs + NEWEST * (ms - this.latencyMs)
    return isFirst
  }
}
