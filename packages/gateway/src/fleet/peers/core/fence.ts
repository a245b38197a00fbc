// Gateways that vouch for each other without the database may be out of this gateway's sight. But if they share its bus server, it can
// stop them. It claims their rows in its heartbeats: whoever hears a claim about itself no longer relies on the word of others. A server
// passes messages on in one order, so a heartbeat that others answer after the claim was passed on is heard after the claim.
//
// When the heartbeat after the claim comes back, the claim is in everybody's queue: a server takes the messages of a connection one by one.
// After that, only answers to earlier heartbeats can still be valid.

import type { PeerState } from '../../../store/peers.ts'

interface Claim {
  turn: number
  sequence: number
  heardAt: number | undefined
}

export class Fence {
  readonly #claims = new Map<number, Claim>()

  /** These rows were claimed in a heartbeat. */
  sent(rows: readonly PeerState[], sequence: number): void {
    for (const { number, turn } of rows)
      if (this.#claims.get(number)?.turn !== turn) this.#claims.set(number, { turn, sequence, heardAt: undefined })
  }

  /** A heartbeat of this gateway has come back. Returns whether the next one is urgent. */
  heardOwn(sequence: number, now: number): boolean {
    let isUrgent = false
    for (const claim of this.#claims.values()) {
      if (claim.sequence < sequence) claim.heardAt ??= now
      else if (claim.sequence === sequence) isUrgent ||= claim.heardAt === undefined
    }
    return isUrgent
  }

  /** The connection is broken: claims that were on their way may be lost. */
  lose(): void {
    for (const [number, claim] of this.#claims) if (claim.heardAt === undefined) this.#claims.delete(number)
  }

  /** When the claim on the row was heard: since then, its gateway relies on no new word of others. Undefined if that is not known. */
  heardAt({ number, turn }: PeerState): number | undefined {
    const claim = this.#claims.get(number)
    return claim?.turn === turn ? claim.heardAt : undefined
  }

  /** Forgets everybody else. */
  keep(numbers: ReadonlySet<number>): void {
    for (const number of this.#claims.keys()) if (!numbers.has(number)) this.#claims.delete(number)
  }
}
