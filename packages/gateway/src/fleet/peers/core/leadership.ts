// Until when a gateway may act. Renewing its row makes it a leader, counted from before the query. While the database is away, the word
// of its peers does the same, counted from when it sent the heartbeat that they repeat: they promise not to remove it in that time. Others
// may remove it before the grace period is over only if they have stopped it from counting on that word: with a claim on the bus server
// that its row names. So it needs an unbroken connection to that server, or it could have missed a claim.

import type { Timing } from './timing.ts'

export class Leadership {
  readonly #timing: Timing
  #renewedAt = -Infinity
  #renewedTurn = -1
  /** The newest turn of its row that somebody has claimed. */
  #claimedTurn = -1
  /** The peers in the row: those of the last confirmed renewal, or of any after it that may have taken effect. */
  #peers: (readonly number[])[] = []
  readonly #sentAt = new Map<number, number>()
  readonly #vouchedAt = new Map<number, number>()

  constructor(timing: Timing) {
    this.#timing = timing
  }

  renewing(peers: readonly number[]): void {
    // Almost always the same ones again and again while the database is away.
    if (!this.#peers.some((listed) => isSame(listed, peers))) this.#peers.push(peers)
  }

  renewed(startedAt: number, turn: number, peers: readonly number[]): void {
    this.#renewedAt = startedAt
    this.#renewedTurn = turn
    this.#peers = [turn > this.#claimedTurn ? peers : []]
  }

  /** Somebody is about to remove the row, as it was at this turn. */
  claimed(turn: number): void {
    this.#claimedTurn = Math.max(this.#claimedTurn, turn)
    if (turn >= this.#renewedTurn) this.renewing([])
  }

  /** The connection to the bus is broken. Until the next renewal, the word of others doesn't count. */
  disconnected(): void {
    this.renewing([])
  }

  heartbeatSent(sequence: number, now: number): void {
    this.#sentAt.set(sequence, now)
    for (const [earlier, at] of this.#sentAt) if (now - at > this.#timing.vouchMs) this.#sentAt.delete(earlier)
  }

  vouched(peer: number, sequence: number): void {
    const sentAt = this.#sentAt.get(sequence)
    if (sentAt !== undefined && sentAt > (this.#vouchedAt.get(peer) ?? -Infinity)) this.#vouchedAt.set(peer, sentAt)
  }

  drop(): void {
    this.#renewedAt = -Infinity
    this.#renewedTurn = -1
    this.#claimedTurn = -1
    this.#peers = []
    this.#sentAt.clear()
    this.#vouchedAt.clear()
  }

  isValid(now: number): boolean {
    return now - this.#renewedAt < this.#timing.leadershipMs || this.#isVouchedFor(now)
  }

  #isVouchedFor(now: number): boolean {
    if (now - this.#renewedAt >= this.#timing.graceMs) return false
    const isHeard = (peer: number) => now - (this.#vouchedAt.get(peer) ?? -Infinity) < this.#timing.vouchMs
    return this.#peers.every((peers) => peers.length > 0 && peers.every(isHeard))
  }
}

export function isSame(some: readonly number[], others: readonly number[]): boolean {
  return some.length === others.length && some.every((number, index) => number === others[index])
}
