// A bus inside one process, for tests and simulators: they decide what happens to each message, and on which clock.

import type { Bus, BusServer } from '../bus.ts'
import { realClock, type Clock } from '../../time/clock.ts'
import { MemoryConnection, type Fate } from './memory-connection.ts'

export interface MemoryBusOptions {
  clock?: Clock
  /** A listener threw. Without this, the error is thrown where the message was delivered. */
  onFault?: (error: unknown) => void
}

export class MemoryBus {
  /** Decides the fate of each message. Its order stays: a message is never delivered before an earlier one of the same sender. */
  decide: (from: string, to: string, subject: string) => Fate = () => ({})
  readonly #connections = new Map<string, MemoryConnection>()
  readonly #clock: Clock
  readonly #onFault: (error: unknown) => void
  #sides: readonly ReadonlySet<string>[] = []
  #isRunning = true
  #count = 0

  constructor({ clock = realClock, onFault = rethrow }: MemoryBusOptions = {}) {
    this.#clock = clock
    this.#onFault = onFault
  }

  /** Unless you say otherwise, it has a server of its own, as messages of different senders don't keep an order. */
  connect(name = `connection-${++this.#count}`, server: BusServer = { id: `server-${++this.#count}` }): Bus {
    if (!this.#isRunning) throw new Error('The bus is not running')
    const connection = new MemoryConnection({ name, server }, this.#clock, {
      others: () => this.#connections.values(),
      fate: (from, to, subject) => (this.#areApart(from, to) ? { isLost: true } : this.decide(from, to, subject)),
      closed: () => this.#connections.delete(name),
      onFault: this.#onFault,
    })
    this.#connections.set(name, connection)
    return connection
  }

  /** Messages between connections of different sides get lost, until `heal`. A connection on no side reaches everyone. */
  partition(...sides: readonly (readonly string[])[]): void {
    this.#sides = sides.map((names) => new Set(names))
  }

  heal(): void {
    this.#sides = []
  }

  /** The server dies, or only the connection with this name breaks. Messages on their way get lost. */
  kill(name?: string): void {
    if (name === undefined) this.#isRunning = false
    for (const connection of this.#named(name)) connection.lose()
  }

  revive(name?: string): void {
    if (name === undefined) this.#isRunning = true
    for (const connection of this.#named(name)) connection.recover()
  }

  /** The connection stops reading: what comes for it waits. */
  stall(name: string): void {
    this.#connections.get(name)?.stall()
  }

  resume(name: string): void {
    this.#connections.get(name)?.resume()
  }

  #named(name: string | undefined): MemoryConnection[] {
    return [...this.#connections.values()].filter((connection) => name === undefined || connection.name === name)
  }

  #areApart(from: string, to: string): boolean {
    const sideOf = (name: string) => this.#sides.findIndex((side) => side.has(name))
    const [left, right] = [sideOf(from), sideOf(to)]
    return left !== right && left !== -1 && right !== -1
  }
}

function rethrow(error: unknown): never {
  throw error
}
