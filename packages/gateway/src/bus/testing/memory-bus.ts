// A bus inside one process, for tests and simulators: they decide what happens to each message, and on which clock. Messages from each sender
// wait in a line of their own, so that delays differ and the order stays.

import { checkSubject, type Bus, type BusListener, type BusServer, type BusStats } from '../bus.ts'
import { BusRecord } from '../bus-record.ts'
import { Subscriptions } from '../subscriptions.ts'
import { realClock, type Clock } from '../../time/clock.ts'

interface MemoryBusOptions {
  clock?: Clock
  /** A listener threw. Without this, the error is thrown where the message was delivered. */
  onFault?: (error: unknown) => void
}

/** The delay and the faults of one message on its way to one connection. */
interface Fate {
  delayMs?: number
  isLost?: boolean
  isDoubled?: boolean
}

interface Message {
  subject: string
  payload: Uint8Array
}

/** Messages of one sender. */
interface Line {
  messages: Message[]
  /** When the last message is due. */
  lastAt: number
  /** How many messages may be delivered now. */
  due: number
}

const MAX_PAYLOAD = 1024 * 1024
/** A connection that holds up more than this is cut, as a NATS server does. */
const MAX_PENDING_BYTES = 16 * 1024 * 1024

export class MemoryBus {
  /** Decides the fate of each message. Its order stays: a message is never delivered before an earlier one of the same sender. */
  decide: (from: string, to: string, subject: string) => Fate = () => ({})
  readonly connections = new Map<string, MemoryConnection>()
  readonly clock: Clock
  readonly onFault: (error: unknown) => void
  #sides: readonly ReadonlySet<string>[] = []
  #isRunning = true
  #count = 0

  constructor({ clock = realClock, onFault = rethrow }: MemoryBusOptions = {}) {
    this.clock = clock
    this.onFault = onFault
  }

  /** Unless you say otherwise, it has a server of its own, as messages of different senders don't keep an order. */
  connect(name = `connection-${++this.#count}`, server: BusServer = { id: `server-${++this.#count}` }): Bus {
    if (!this.#isRunning) throw new Error('The bus is not running')
    const connection = new MemoryConnection(name, server, this)
    this.connections.set(name, connection)
    return connection
  }

  fate(from: string, to: string, subject: string): Fate {
    return this.#areApart(from, to) ? { isLost: true } : this.decide(from, to, subject)
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
    this.connections.get(name)?.stall()
  }

  resume(name: string): void {
    this.connections.get(name)?.resume()
  }

  #named(name: string | undefined): MemoryConnection[] {
    return [...this.connections.values()].filter((connection) => name === undefined || connection.name === name)
  }

  #areApart(from: string, to: string): boolean {
    const sideOf = (name: string) => this.#sides.findIndex((side) => side.has(name))
    const [left, right] = [sideOf(from), sideOf(to)]
    return left !== right && left !== -1 && right !== -1
  }
}

/** One connection to a bus. */
class MemoryConnection implements Bus {
  readonly name: string
  readonly #bus: MemoryBus
  readonly #server: BusServer
  readonly #subscriptions = new Subscriptions<Uint8Array>()
  readonly #record = new BusRecord()
  readonly #lines = new Map<string, Line>()
  #state: 'connected' | 'lost' | 'closed' = 'connected'
  #isStalled = false
  #wasCutWhileStalled = false
  #pendingBytes = 0

  constructor(name: string, server: BusServer, bus: MemoryBus) {
    this.name = name
    this.#server = server
    this.#bus = bus
  }

  get isConnected(): boolean {
    return this.#state === 'connected'
  }

  get server(): BusServer | undefined {
    return this.isConnected ? this.#server : undefined
  }

  publish(subject: string, payload: Uint8Array): void {
    checkSubject(subject)
    if (payload.length > MAX_PAYLOAD) throw new Error(`Cannot publish ${payload.length} bytes: ${MAX_PAYLOAD} at most`)
    if (!this.isConnected) return
    this.#record.sent(payload)
    for (const to of this.#bus.connections.values())
      if (to.#listens(subject)) to.#arrive(this.name, { subject, payload }, this.#bus.fate(this.name, to.name, subject))
  }

  subscribe(subject: string, listener: BusListener): () => void {
    checkSubject(subject)
    return this.#subscriptions.add(subject, listener)
  }

  onState(listener: (isConnected: boolean) => void): () => void {
    return this.#record.onState(listener)
  }

  stats(): BusStats {
    return this.#record.stats()
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    this.#drop()
    this.#state = 'closed'
    this.#subscriptions.clear()
    this.#record.close()
    this.#bus.connections.delete(this.name)
  }

  lose(): void {
    if (this.#state !== 'connected') return
    this.#state = 'lost'
    this.#drop()
    this.#record.changed(false)
  }

  recover(): void {
    if (this.#state !== 'lost') return
    this.#state = 'connected'
    this.#record.changed(true)
  }

  stall(): void {
    this.#isStalled = true
  }

  resume(): void {
    this.#isStalled = false
    if (this.#wasCutWhileStalled) this.#bus.clock.after(0, () => this.recover())
    this.#wasCutWhileStalled = false
    for (const line of this.#lines.values()) this.#bus.clock.after(0, () => this.#deliver(line))
  }

  #arrive(from: string, message: Message, { delayMs = 0, isLost = false, isDoubled = false }: Fate): void {
    if (isLost || !this.isConnected) return
    const line = this.#lines.get(from) ?? { messages: [], lastAt: 0, due: 0 }
    this.#lines.set(from, line)
    line.lastAt = Math.max(line.lastAt, this.#bus.clock.now() + delayMs)
    for (let copy = 0; copy < (isDoubled ? 2 : 1); copy++) {
      line.messages.push(message)
      this.#pendingBytes += message.payload.length
      this.#bus.clock.after(line.lastAt - this.#bus.clock.now(), () => this.#becomeDue(line))
    }
    if (this.#pendingBytes > MAX_PENDING_BYTES) this.#cut()
  }

  /** A server closes a connection that doesn't read. */
  #cut(): void {
    this.lose()
    if (this.#isStalled) this.#wasCutWhileStalled = true
    else this.#bus.clock.after(0, () => this.recover())
  }

  /** Counts instead of comparing times: a timer may be early, but there is one for each message. */
  #becomeDue(line: Line): void {
    line.due += 1
    this.#deliver(line)
  }

  #deliver(line: Line): void {
    while (!this.#isStalled && line.due > 0) {
      const message = line.messages.shift()
      if (!message) return
      const { subject, payload } = message
      line.due -= 1
      this.#pendingBytes -= payload.length
      this.#record.received(payload)
      for (const listener of this.#subscriptions.of(subject)) this.#call(listener, payload)
    }
  }

  #call(listener: BusListener, payload: Uint8Array): void {
    try {
      listener(payload)
    } catch (error) {
      this.#bus.onFault(error)
    }
  }

  #listens(subject: string): boolean {
    return this.isConnected && this.#subscriptions.has(subject)
  }

  #drop(): void {
    for (const line of this.#lines.values()) line.messages.length = 0
    this.#lines.clear()
    this.#pendingBytes = 0
  }
}

function rethrow(error: unknown): never {
  throw error
}
