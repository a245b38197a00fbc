// Stands in for NATS: one server, or a cluster of them. A server takes what each connection sends one after the other, and hands it to
// every other connection in its order. Connections break, and lose what was on its way; the servers themselves die and come back.

import type { BusServer } from '../../../bus/bus.ts'
import type { Network } from './network.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../virtual-clock.ts'
import { Pipe } from './pipe.ts'

export interface BusWorld {
  readonly clock: VirtualClock
  readonly random: Random
  readonly network: Network
}

export interface Message<Payload> {
  readonly subject: string
  readonly payload: Payload
}

/** A gateway, as its connection sees it. */
interface Client<Payload> {
  readonly name: string
  listensTo(subject: string): boolean
  hear(connection: Connection<Payload>, message: Message<Payload>): void
  lost(connection: Connection<Payload>): void
}

export interface Connection<Payload> {
  readonly client: Client<Payload>
  readonly server: BusServer
  readonly up: Pipe
  readonly down: Pipe
  isOpen: boolean
  /** The server knows that it listens. */
  isSubscribed: boolean
}

/** After this, a gateway gives up a connection on which nothing gets through. */
const SILENCE_MS = 3_000
const BREAKS_PER_LOSS = 0.02
const STALLS_PER_SLOWNESS = 0.1
/** How often a server takes long to see a new connection. */
const SLOW_STARTS_PER_LATENESS = 30

export class Servers<Payload> {
  running: BusServer[] = []
  readonly #world: BusWorld
  readonly #connections = new Set<Connection<Payload>>()
  readonly #routes = new Map<string, Pipe>()
  #dead: BusServer[] = []
  #started = 0

  constructor(world: BusWorld, count: number, isNamed: boolean) {
    this.#world = world
    for (let index = 0; index < count; index++) this.start(isNamed ? `nats-${index}` : undefined)
  }

  start(name?: string): void {
    const id = `server-${++this.#started}`
    this.running.push(name === undefined ? { id } : { id, name })
  }

  /** Ends it, and all connections to it. */
  kill(server: BusServer): void {
    this.running = this.running.filter((other) => other !== server)
    for (const connection of this.#connections) if (connection.server === server) this.#break(connection)
  }

  restart(server: BusServer): void {
    this.kill(server)
    this.start(server.name)
  }

  /** All of them die, until `revive`. */
  die(): void {
    this.#dead.push(...this.running)
    for (const server of this.running) this.kill(server)
  }

  revive(): void {
    for (const { name } of this.#dead.splice(0)) this.start(name)
  }

  /** Undefined if no server can be reached. */
  connect(client: Client<Payload>): Connection<Payload> | undefined {
    const { network, random } = this.#world
    const within = this.running.filter((server) => network.reaches(client.name, server))
    if (within.length === 0) return undefined
    const connection = this.#open(client, random.pick(within))
    this.#connections.add(connection)
    if (random.chance(network.faults.lateness * SLOW_STARTS_PER_LATENESS))
      connection.up.hold(random.between(500, 6_000))
    connection.up.push(() => (connection.isSubscribed = true))
    return connection
  }

  publish(connection: Connection<Payload>, message: Message<Payload>): void {
    connection.up.push(() => {
      connection.up.hold(this.#handOn(connection.server, message))
      for (const server of this.running)
        if (server !== connection.server) this.#passOn(this.#route(connection.server, server), server, message)
    })
  }

  #passOn(route: Pipe, server: BusServer, message: Message<Payload>): void {
    route.push(() => route.hold(this.#handOn(server, message)))
  }

  /** The gateway is gone, or has given up the connection. */
  close(connection: Connection<Payload>): void {
    connection.isOpen = false
    connection.up.close()
    connection.down.close()
    this.#connections.delete(connection)
  }

  #open(client: Client<Payload>, server: BusServer): Connection<Payload> {
    const isBlocked = () => !this.#world.network.reaches(client.name, server)
    const onBlocked = (ms: number) => (ms > SILENCE_MS ? this.#break(connection) : undefined)
    const pipe = () => this.#pipe(isBlocked, onBlocked)
    const connection = { client, server, up: pipe(), down: pipe(), isOpen: true, isSubscribed: false }
    return connection
  }

  #pipe(isBlocked: () => boolean, onBlocked: (ms: number) => void): Pipe {
    const { clock, network } = this.#world
    return new Pipe({ clock, delayMs: () => network.delayMs(STALLS_PER_SLOWNESS), isBlocked, onBlocked })
  }

  /** Messages on their way are lost while the servers don't reach each other. */
  #route(from: BusServer, to: BusServer): Pipe {
    const key = `${from.id} ${to.id}`
    const isCut = () => this.#world.network.isRouteCut(from, to)
    const route = this.#routes.get(key) ?? this.#pipe(isCut, () => route.close())
    this.#routes.set(key, route)
    return route
  }

  /** Returns how long it takes until everybody has it. Now and then, some get it later than others. */
  #handOn(server: BusServer, message: Message<Payload>): number {
    const { clock, network, random } = this.#world
    let longestMs = 0
    for (const connection of this.#connections) {
      const { client, isSubscribed } = connection
      if (connection.server !== server || !isSubscribed || !client.listensTo(message.subject)) continue
      if (random.chance(network.faults.loss * BREAKS_PER_LOSS)) this.#break(connection)
      const lateMs = random.chance(network.faults.lateness) ? random.between(1, 3_000) : 0
      longestMs = Math.max(longestMs, lateMs)
      if (lateMs > 0) clock.after(lateMs, () => this.#deliver(connection, message))
      else this.#deliver(connection, message)
    }
    return longestMs
  }

  #deliver(connection: Connection<Payload>, message: Message<Payload>): void {
    if (!connection.isOpen) return
    const { network, random } = this.#world
    for (let copy = random.chance(network.faults.doubling) ? 2 : 1; copy > 0; copy--)
      connection.down.push(() => connection.client.hear(connection, message))
  }

  /** The gateway may notice it late. */
  #break(connection: Connection<Payload>): void {
    if (!connection.isOpen) return
    const { clock, random } = this.#world
    this.close(connection)
    clock.after(random.pick([5, 300, SILENCE_MS]), () => connection.client.lost(connection))
  }
}
