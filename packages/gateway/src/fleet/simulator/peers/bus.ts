// Stands in for NATS: one server, or a cluster of them. A server takes what each connection sends one after the other, and hands it to
// every other connection in its order. Connections break, and lose what was on its way; the servers themselves die and come back.

import type { BusServer } from '../../../bus/bus.ts'
import type { Heartbeat } from '../../peers/heartbeat.ts'
import { Pipe } from './pipe.ts'
import type { Network } from '../network.ts'
import type { Random } from '../random.ts'
import type { VirtualClock } from '../virtual-clock.ts'

interface Surroundings {
  readonly clock: VirtualClock
  readonly random: Random
  readonly network: Network
  /** From now on nothing goes wrong. */
  readonly isCalm: boolean
}

/** A gateway, as its connection sees it. */
interface Listener {
  readonly id: string
  hear(connection: Connection, heartbeat: Heartbeat): void
  lost(connection: Connection): void
}

export interface Connection {
  readonly gateway: Listener
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
const SLOW_STARTS = 0.3
/** How often a server hands on a message to some much later than to others. */
const LATENESS = 0.01

export class Bus {
  servers: BusServer[] = []
  readonly #world: Surroundings
  readonly #connections = new Set<Connection>()
  readonly #routes = new Map<string, Pipe>()
  #started = 0

  constructor(world: Surroundings, count: number, isNamed: boolean) {
    this.#world = world
    for (let index = 0; index < count; index++) this.start(isNamed ? `nats-${index}` : undefined)
  }

  start(name?: string): void {
    const id = `server-${++this.#started}`
    this.servers.push(name === undefined ? { id } : { id, name })
  }

  /** Ends it, and all connections to it. */
  kill(server: BusServer): void {
    this.servers = this.servers.filter((other) => other !== server)
    for (const connection of this.#connections) if (connection.server === server) this.#break(connection)
  }

  restart(server: BusServer): void {
    this.kill(server)
    this.start(server.name)
  }

  /** Undefined if no server can be reached. */
  connect(gateway: Listener): Connection | undefined {
    const within = this.servers.filter((server) => this.#world.network.reaches(gateway.id, server))
    if (within.length === 0) return undefined
    const connection = this.#open(gateway, this.#world.random.pick(within))
    this.#connections.add(connection)
    if (!this.#world.isCalm && this.#world.random.chance(SLOW_STARTS))
      connection.up.hold(this.#world.random.between(500, 6_000))
    connection.up.push(() => (connection.isSubscribed = true))
    return connection
  }

  publish(connection: Connection, heartbeat: Heartbeat): void {
    if (!connection.isOpen) return
    connection.up.push(() => {
      connection.up.hold(this.#handOn(connection.server, heartbeat))
      for (const server of this.servers)
        if (server !== connection.server) this.#passOn(this.#route(connection.server, server), server, heartbeat)
    })
  }

  #passOn(route: Pipe, server: BusServer, heartbeat: Heartbeat): void {
    route.push(() => route.hold(this.#handOn(server, heartbeat)))
  }

  /** The gateway is gone, or has given up the connection. */
  close(connection: Connection): void {
    connection.isOpen = false
    connection.up.close()
    connection.down.close()
    this.#connections.delete(connection)
  }

  #open(gateway: Listener, server: BusServer): Connection {
    const isBlocked = () => !this.#world.network.reaches(gateway.id, server)
    const onBlocked = (ms: number) => (ms > SILENCE_MS ? this.#break(connection) : undefined)
    const pipe = () => this.#pipe(isBlocked, onBlocked)
    const connection = { gateway, server, up: pipe(), down: pipe(), isOpen: true, isSubscribed: false }
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
  #handOn(server: BusServer, heartbeat: Heartbeat): number {
    const { clock, network, random } = this.#world
    let longestMs = 0
    for (const connection of this.#connections) {
      if (connection.server !== server || !connection.isSubscribed) continue
      if (random.chance(network.faults.loss * BREAKS_PER_LOSS)) this.#break(connection)
      const lateMs = !this.#world.isCalm && random.chance(LATENESS) ? random.between(1, 3_000) : 0
      longestMs = Math.max(longestMs, lateMs)
      if (lateMs > 0) clock.after(lateMs, () => this.#deliver(connection, heartbeat))
      else this.#deliver(connection, heartbeat)
    }
    return longestMs
  }

  #deliver(connection: Connection, heartbeat: Heartbeat): void {
    if (!connection.isOpen) return
    const { network, random } = this.#world
    for (let copy = random.chance(network.faults.doubling) ? 2 : 1; copy > 0; copy--)
      connection.down.push(() => connection.gateway.hear(connection, heartbeat))
  }

  /** The gateway may notice it late. */
  #break(connection: Connection): void {
    if (!connection.isOpen) return
    const { clock, random } = this.#world
    this.close(connection)
    clock.after(random.pick([5, 300, SILENCE_MS]), () => connection.gateway.lost(connection))
  }
}
