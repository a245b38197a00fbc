// Gateways that vouch for each other without the database may be out of this gateway's sight. But where they share its bus server, it can
// stop them. It claims their rows in its heartbeats: whoever hears a claim about itself no longer counts on the word of others. A server
// hands on messages in one order, so a heartbeat that is answered by others after the claim was handed on is heard after the claim.
//
// When the heartbeat after the claim comes back, the claim has reached everybody's line: a server takes one message of a connection after
// the other. All that may still count then is the word about heartbeats from before.

import type { PeerState } from '../../../store/peers.ts'

type Claim = { name: 'sent'; turn: number; sequence: number } | { name: 'heard'; turn: number; at: number }

export class Fence {
  readonly #claims = new Map<number, Claim>()

  /** These rows were claimed in a heartbeat. */
  sent(rows: readonly PeerState[], sequence: number): void {
    for (const { number, turn } of rows)
      if (this.#claims.get(number)?.turn !== turn) this.#claims.set(number, { name: 'sent', turn, sequence })
  }

  /** A heartbeat of this gateway has come back. Returns whether the next one is urgent. */
  heardOwn(sequence: number, now: number): boolean {
    let isUrgent = false
    for (const [number, claim] of this.#claims) {
      if (claim.name === 'heard') continue
      if (claim.sequence < sequence) this.#claims.set(number, { name: 'heard', turn: claim.turn, at: now })
      else if (claim.sequence === sequence) isUrgent = true
    }
    return isUrgent
  }

  /** The connection is broken: claims that were on their way may be lost. */
  lose(): void {
    for (const [number, claim] of this.#claims) if (claim.name === 'sent') this.#claims.delete(number)
  }

  /** When the claim on the row was heard: since then, nobody vouches for its gateway anew. Undefined if that is not known. */
  heardAt({ number, turn }: PeerState): number | undefined {
    const claim = this.#claims.get(number)
    return claim?.name === 'heard' && claim.turn === turn ? claim.at : undefined
  }

  /** Forgets everybody else. */
  keep(numbers: ReadonlySet<number>): void {
    for (const number of this.#claims.keys()) if (!numbers.has(number)) this.#claims.delete(number)
  }
}
