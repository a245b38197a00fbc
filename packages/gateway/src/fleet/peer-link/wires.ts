// Messages between the roles of different gateways, over a bus that may lose, double and delay them. Two gateways that hear each other have a
// wire. It delivers every message once and in order, or it breaks: a lost message is a short death of the other side, and nothing else.
//
// Finding      Each gateway says once a second on `hearth.wires` that it is there, and which messages it understands.
// Opening      Each side has a session number that grows with every break. A wire is up once both know both numbers.
// Messages     All messages for one gateway that are ready in one turn of the loop travel together, numbered, on `hearth.to.<gateway>`.
// Haste        Every packet costs a write here and a read there. Under load, messages that can wait a millisecond leave together.
// Breaking     A missing number, a new session of the other side, three seconds of silence, or a broken bus.
// Pressure     Each packet says how many bytes have arrived. What is not confirmed is bounded: the rest waits here, and `pressed` says so.

import type { Bus } from '../../bus/bus.ts'
import { realClock, type Clock } from '../../bus/clock.ts'
import type { Traffic } from '../fleet.ts'
import { Departure, type Haste } from './departure.ts'
import { readPacket, writePacket, type PacketHead } from './wire-packet.ts'
import { Wire } from './wire.ts'

export interface Wires<Message> {
  readonly self: string
  /**
   * Queued until the end of this turn, or a little longer: see `Haste`. Dropped while the wire is not up: everything is stated again when
   * it is. Never for `self`.
   */
  send(to: string, message: Message): void
  isUp(replica: string): boolean
  /** Bytes for this gateway that it has not confirmed yet. */
  backlog(replica: string): number
  /** Both sides lose what hangs on this wire. It comes up again by itself. */
  break(replica: string, why: string): void
  /** One listener, set before the first message. */
  listen(listener: WireListener<Message>): void
  stats(): Traffic
  /** The others hear of it at once. */
  close(): void
}

export interface WireListener<Message> {
  /** Both directions are fresh. Messages from here on are the first that the other side gets after its own `up`. */
  up(replica: string): void
  down(replica: string, why: string): void
  message(from: string, message: Message): void
  /** Too much waits for this gateway, and then little again: pause what is produced for it. */
  pressed?(replica: string, isPressed: boolean): void
}

export interface WiresOptions<Message> {
  bus: Bus
  self: string
  /** Gateways with another version are kept out. */
  version: string
  clock?: Clock
  /** By default, all messages leave now. */
  hasteOf?: (message: Message) => Haste
  /** A gateway with another version is there. Called once for each. */
  onRefused?: (replica: string, version: string) => void
  /** The listener threw. */
  onFault: (error: unknown) => void
}

const TICK_MS = 250
const ANNOUNCE_MS = 1_000
const SILENCE_MS = 3_000
const AWAY_MS = 1_000
const EVERYONE = 'hearth.wires'
const BYE = 'bye'

export function openWires<Message>(options: WiresOptions<Message>): Wires<Message> {
  return new BusWires(options)
}

class BusWires<Message> implements Wires<Message> {
  readonly self: string
  readonly #bus: Bus
  readonly #clock: Clock
  readonly #options: WiresOptions<Message>
  readonly #wires = new Map<string, Wire<Message>>()
  readonly #refused = new Set<string>()
  readonly #stops: (() => void)[]
  readonly #departure: Departure
  #listener: WireListener<Message> | undefined
  #announcedAt = Number.NEGATIVE_INFINITY
  #tickedAt = Number.NEGATIVE_INFINITY
  #breaks = 0
  #sessions = 0
  #stopTick = () => {}

  constructor(options: WiresOptions<Message>) {
    this.self = options.self
    this.#options = options
    this.#bus = options.bus
    this.#clock = options.clock ?? realClock
    this.#departure = new Departure(this.#clock, () => this.#flushAll())
    this.#stops = [
      this.#bus.subscribe(`hearth.to.${this.self}`, (payload) => this.#received(payload)),
      this.#bus.subscribe(EVERYONE, (payload) => this.#announced(Buffer.from(payload).toString())),
      this.#bus.onState((isConnected) => (isConnected ? this.#announce() : this.#breakAll())),
    ]
  }

  listen(listener: WireListener<Message>): void {
    this.#listener = listener
    this.#tick()
  }

  send(to: string, message: Message): void {
    const wire = this.#wires.get(to)
    if (wire?.send(message)) this.#departure.plan(this.#options.hasteOf?.(message) ?? 'now')
  }

  isUp(replica: string): boolean {
    return this.#wires.get(replica)?.isUp ?? false
  }

  backlog(replica: string): number {
    return this.#wires.get(replica)?.backlogBytes ?? 0
  }

  break(replica: string, why: string): void {
    this.#wires.get(replica)?.break(why)
  }

  stats(): Traffic {
    const wires = [...this.#wires.values()]
    const backlogBytes = wires.reduce((sum, wire) => sum + wire.backlogBytes, 0)
    return {
      bus: { ...this.#bus.stats(), isConnected: this.#bus.isConnected },
      wires: { up: wires.filter(({ isUp }) => isUp).length, breaks: this.#breaks, backlogBytes },
    }
  }

  close(): void {
    this.#stopTick()
    this.#departure.cancel()
    this.#flushAll()
    for (const stop of this.#stops) stop()
    if (this.#bus.isConnected)
      this.#bus.publish(EVERYONE, Buffer.from(JSON.stringify({ from: this.self, version: BYE })))
    this.#listener = undefined
    this.#wires.clear()
  }

  #tick(): void {
    this.#stopTick = this.#clock.after(TICK_MS, () => this.#tick())
    const now = this.#clock.now()
    // If this process itself got no time, what the others said meanwhile is still unread.
    const silenceMs = now - this.#tickedAt > AWAY_MS ? Number.POSITIVE_INFINITY : SILENCE_MS
    this.#tickedAt = now
    if (now - this.#announcedAt >= ANNOUNCE_MS) this.#announce()
    for (const [replica, wire] of this.#wires) {
      if (!wire.tick(now, silenceMs)) this.#wires.delete(replica)
    }
  }

  #announce(): void {
    this.#announcedAt = this.#clock.now()
    const { version } = this.#options
    this.#bus.publish(EVERYONE, Buffer.from(JSON.stringify({ from: this.self, version })))
  }

  #announced(text: string): void {
    const { from, version } = JSON.parse(text) as { from: string; version: string }
    if (from === this.self || !this.#listener) return
    if (version === BYE) this.#wires.get(from)?.leave()
    else if (version === this.#options.version) this.#wireTo(from).heard(this.#clock.now())
    else this.#refuse(from, version)
  }

  #refuse(replica: string, version: string): void {
    if (this.#refused.has(replica)) return
    this.#refused.add(replica)
    this.#options.onRefused?.(replica, version)
  }

  #received(payload: Uint8Array): void {
    if (!this.#listener) return
    const { head, body } = readPacket(payload)
    if (head.version === this.#options.version) this.#wireTo(head.from).receive(head, body, this.#clock.now())
    else this.#refuse(head.from, head.version)
  }

  #wireTo(replica: string): Wire<Message> {
    const known = this.#wires.get(replica)
    if (known) return known
    const wire = new Wire<Message>({
      publish: (head, body) => this.#publish(replica, head, body),
      flushSoon: () => this.#departure.plan('now'),
      after: (ms, act) => this.#clock.after(ms, act),
      up: () => this.#call((listener) => listener.up(replica)),
      down: (why) => this.#broke(replica, why),
      message: (message) => this.#call((listener) => listener.message(replica, message)),
      pressed: (isPressed) => this.#call((listener) => listener.pressed?.(replica, isPressed)),
      now: () => this.#clock.now(),
      nextSession: () => ++this.#sessions,
    })
    this.#wires.set(replica, wire)
    return wire
  }

  #publish(replica: string, head: PacketHead, body: Uint8Array | undefined): void {
    const { version } = this.#options
    this.#bus.publish(`hearth.to.${replica}`, writePacket({ ...head, from: this.self, version }, body))
  }

  #broke(replica: string, why: string): void {
    this.#breaks += 1
    this.#call((listener) => listener.down(replica, why))
  }

  #breakAll(): void {
    for (const wire of this.#wires.values()) wire.break('the message bus is gone')
  }

  // Packets for several gateways that leave in the same turn are one write.
  #flushAll(): void {
    for (const wire of this.#wires.values()) wire.flush()
  }

  #call(act: (listener: WireListener<Message>) => void): void {
    try {
      if (this.#listener) act(this.#listener)
    } catch (error) {
      this.#options.onFault(error)
    }
  }
}
