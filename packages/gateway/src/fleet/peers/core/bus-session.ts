// This gateway's connection to the bus. Others may rely on it only once a heartbeat that was sent over it has come back: then the server
// knows the subscription, and this gateway hears everything that the server passes on from now on, in the same order as everybody else there.

import type { BusServer } from '../../../bus/bus.ts'

export class BusSession {
  #server: BusServer | undefined
  /** The first heartbeat that was sent over it. */
  #first = 0
  #isProven = false

  /** Undefined until the connection is proven. */
  get server(): BusServer | undefined {
    return this.#isProven ? this.#server : undefined
  }

  begin(server: BusServer, nextSequence: number): void {
    this.#server = server
    this.#first = nextSequence
  }

  end(): void {
    this.#server = undefined
    this.#isProven = false
  }

  /** A heartbeat of this gateway has come back. Returns whether that proves the connection for the first time. */
  heardOwn(sequence: number): boolean {
    if (this.#isProven || !this.#server || sequence < this.#first) return false
    this.#isProven = true
    return true
  }
}
