// The bus as a process has it: it connects again whenever the connection is lost. A dead process says and hears nothing; a stopped one hears
// later, and in the same order.

import type { BusServer, BusStats } from '../../../bus/bus.ts'
import { BusRecord } from '../../../bus/bus-record.ts'
import { Subscriptions } from '../../../bus/subscriptions.ts'
import type { Process } from './process.ts'
import type { BusWorld, Connection, Message, Servers } from './servers.ts'

interface Surroundings<Payload> extends Pick<BusWorld, 'clock' | 'random'> {
  readonly servers: Servers<Payload>
}

const RECONNECT_MS = 200

/** A `Bus`, where payloads are bytes. */
export class BusClient<Payload = Uint8Array> {
  readonly name: string
  readonly #world: Surroundings<Payload>
  readonly #process: Process
  readonly #subscriptions = new Subscriptions<Payload>()
  readonly #record = new BusRecord()
  /** What arrived and was not read yet. */
  readonly #unread: { connection: Connection<Payload>; message: Message<Payload> }[] = []
  #connection: Connection<Payload> | undefined
  #isClosed = false

  constructor(world: Surroundings<Payload>, name: string, process: Process) {
    this.#world = world
    this.name = name
    this.#process = process
    this.#connect()
  }

  get isConnected(): boolean {
    return this.#connection !== undefined
  }

  get server(): BusServer | undefined {
    return this.#connection?.server
  }

  publish(subject: string, payload: Payload): void {
    if (this.#connection?.isOpen && !this.#process.isDead)
      this.#world.servers.publish(this.#connection, { subject, payload })
  }

  subscribe(subject: string, listener: (payload: Payload) => void): () => void {
    return this.#subscriptions.add(subject, listener)
  }

  onState(listener: (isConnected: boolean) => void): () => void {
    return this.#record.onState(listener)
  }

  stats(): BusStats {
    return this.#record.stats()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#connection) this.#world.servers.close(this.#connection)
  }

  // Called by the servers.

  listensTo(subject: string): boolean {
    return this.#subscriptions.has(subject)
  }

  hear(connection: Connection<Payload>, message: Message<Payload>): void {
    this.#unread.push({ connection, message })
    if (this.#unread.length === 1) this.#process.live(() => this.#read())
  }

  lost(connection: Connection<Payload>): void {
    this.#process.live(() => {
      if (connection !== this.#connection) return
      this.#connection = undefined
      this.#record.changed(false)
      this.#connectLater()
    })
  }

  #connectLater(): void {
    const { clock, random } = this.#world
    clock.after(random.between(RECONNECT_MS / 2, RECONNECT_MS), () => this.#connect())
  }

  #connect(): void {
    this.#process.live(() => {
      if (this.#isClosed) return
      this.#connection = this.#world.servers.connect(this)
      if (this.#connection) this.#record.changed(true)
      else this.#connectLater()
    })
  }

  #read(): void {
    for (let next = this.#unread[0]; next !== undefined; next = this.#unread[0]) {
      const { connection, message } = next
      if (connection === this.#connection)
        for (const listener of this.#subscriptions.of(message.subject)) listener(message.payload)
      this.#unread.shift()
    }
  }
}
