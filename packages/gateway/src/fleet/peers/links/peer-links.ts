// Messages between the roles of different gateways, over a bus that may lose, double and delay them. Two gateways that hear each other have a
// link. It delivers every message once and in order, or it breaks: to the roles, a lost message is a short failure of the other side.
//
// Opening      Each side says hello to those that it expects, and has a session number that grows with every break. A peer link is up once both
//              know both numbers.
// Messages     All messages for one gateway that are ready in one turn of the loop travel together, numbered, on `hearth.to.<gateway>`.
// Urgency        Every packet costs a write here and a read there. Under load, messages that can wait a millisecond leave together.
// Breaking     A missing number, a new session of the other side, three seconds of silence, or a broken bus.
// Pressure     Each packet says how many bytes have arrived. Unconfirmed bytes are bounded: the rest waits here, and `pressed` says so.

import type { Bus } from '../../../bus/bus.ts'
import { realClock, type Clock } from '../../../time/clock.ts'
import { isGatewayId } from '../../terms/gateway-id.ts'
import { createDeparture, type Departure, type Urgency } from './departure.ts'
import { readPacket, writePacket } from './packet.ts'
import { PeerLink } from './peer-link.ts'

export interface PeerLinkListener<Message> {
  /** Both directions are fresh. Messages from here on are the first that the other side gets after its own `up`. */
  up(peer: string): void
  down(peer: string, why: string): void
  message(from: string, message: Message): void
  /** Too much waits for this gateway, and then little again: pause what is produced for it. */
  pressed?(peer: string, isPressed: boolean): void
}

export interface PeerLinksOptions<Message> {
  bus: Bus
  self: string
  /** Gateways with another version are not heard. */
  version: string
  clock?: Clock
  /** By default, all messages leave now. */
  urgencyOf?: (message: Message) => Urgency
  /** The listener threw. */
  onFault: (error: unknown) => void
}

const TICK_MS = 250
export const SILENCE_MS = 3_000
const AWAY_MS = 1_000
/** Far more than the gateways of one service. Beyond it, somebody makes them up. */
export const MOST_PEERS = 64

class BusPeerLinks<Message> {
  readonly self: string
  readonly #bus: Bus
  readonly #clock: Clock
  readonly #options: PeerLinksOptions<Message>
  readonly #links = new Map<string, PeerLink<Message>>()
  readonly #stops: (() => void)[]
  readonly #departure: Departure
  #listener: PeerLinkListener<Message> | undefined
  #expected: readonly string[] = []
  #tickedAt = Number.NEGATIVE_INFINITY
  #breaks = 0
  #sessions = 0
  #stopTick = () => {}

  constructor(options: PeerLinksOptions<Message>) {
    this.self = options.self
    this.#options = options
    this.#bus = options.bus
    this.#clock = options.clock ?? realClock
    this.#departure = createDeparture(this.#clock, () => this.#flushAll())
    this.#stops = [
      this.#bus.subscribe(`hearth.to.${this.self}`, (payload) => this.#received(payload)),
      this.#bus.onState((isConnected) => isConnected || this.#breakAll()),
    ]
  }

  /** One listener, set before the first message. */
  listen(listener: PeerLinkListener<Message>): void {
    this.#listener = listener
    this.#tick()
  }

  /**
   * Queued until the end of this turn, or a little longer: see `Urgency`. Dropped while the link is not up: everything is said again when
   * it is. Never for `self`.
   */
  send(to: string, message: Message): void {
    const link = this.#links.get(to)
    if (link?.send(message)) this.#departure.plan(this.#options.urgencyOf?.(message) ?? 'now')
  }

  isUp(peer: string): boolean {
    return this.#links.get(peer)?.isUp ?? false
  }

  /** Bytes for this gateway that it has not confirmed yet. */
  backlog(peer: string): number {
    return this.#links.get(peer)?.backlogBytes ?? 0
  }

  /** These gateways are there, as the database says. Links to others open when they say hello. */
  expect(peers: readonly string[]): void {
    this.#expected = peers.filter((peer) => peer !== this.self)
    // Whether one of them is silent, the next tick decides.
    for (const peer of this.#expected) this.#linkTo(peer)?.tick(this.#clock.now(), Number.POSITIVE_INFINITY)
  }

  /** Both sides lose everything that depends on this link. It comes up again on its own. */
  break(peer: string, why: string): void {
    this.#links.get(peer)?.break(why)
  }

  /** Breaks are counted since the start; the backlog is what the others have not confirmed yet. */
  stats() {
    const links = [...this.#links.values()]
    const backlogBytes = links.reduce((sum, link) => sum + link.backlogBytes, 0)
    return {
      bus: { ...this.#bus.stats(), isConnected: this.#bus.isConnected },
      links: { up: links.filter(({ isUp }) => isUp).length, breaks: this.#breaks, backlogBytes },
    }
  }

  /** The others hear of it at once. */
  close(): void {
    this.#stopTick()
    this.#departure.cancel()
    this.#flushAll()
    for (const stop of this.#stops) stop()
    for (const link of this.#links.values()) link.sayGoodbye()
    this.#listener = undefined
    this.#links.clear()
  }

  #tick(): void {
    this.#stopTick = this.#clock.after(TICK_MS, () => this.#tick())
    const now = this.#clock.now()
    // If this process itself got no time, messages of the others may still be unread.
    const silenceMs = now - this.#tickedAt > AWAY_MS ? Number.POSITIVE_INFINITY : SILENCE_MS
    this.#tickedAt = now
    for (const peer of this.#expected) this.#linkTo(peer)
    for (const [peer, link] of this.#links) {
      if (!link.tick(now, silenceMs)) this.#links.delete(peer)
    }
  }

  #received(payload: Uint8Array): void {
    if (!this.#listener) return
    const { head, body } = readPacket(payload)
    if (head.version === this.#options.version) this.#linkTo(head.from)?.receive(head, body, this.#clock.now())
  }

  /** Undefined for one too many, and for somebody who is no gateway. */
  #linkTo(peer: string): PeerLink<Message> | undefined {
    const known = this.#links.get(peer)
    if (known || this.#links.size >= MOST_PEERS || !isGatewayId(peer)) return known
    const own = { from: this.self, version: this.#options.version }
    const link = new PeerLink<Message>({
      publish: (head, body) => this.#bus.publish(`hearth.to.${peer}`, writePacket({ ...head, ...own }, body)),
      flushSoon: () => this.#departure.plan('now'),
      up: () => this.#call((listener) => listener.up(peer)),
      down: (why) => this.#broke(peer, why),
      message: (message) => this.#call((listener) => listener.message(peer, message)),
      pressed: (isPressed) => this.#call((listener) => listener.pressed?.(peer, isPressed)),
      clock: this.#clock,
      nextSession: () => ++this.#sessions,
    })
    this.#links.set(peer, link)
    return link
  }

  #broke(peer: string, why: string): void {
    this.#breaks += 1
    this.#call((listener) => listener.down(peer, why))
  }

  #breakAll(): void {
    for (const link of this.#links.values()) link.break('the message bus is gone')
  }

  // Packets for several gateways that leave in the same turn are one write.
  #flushAll(): void {
    for (const link of this.#links.values()) link.flush()
  }

  #call(act: (listener: PeerLinkListener<Message>) => void): void {
    try {
      if (this.#listener) act(this.#listener)
    } catch (error) {
      this.#options.onFault(error)
    }
  }
}

export type Traffic = ReturnType<PeerLinks<unknown>['stats']>

/** Also for tests, which have others in memory. */
export type PeerLinks<Message> = Pick<BusPeerLinks<Message>, keyof BusPeerLinks<Message>>

export function openPeerLinks<Message>(options: PeerLinksOptions<Message>): PeerLinks<Message> {
  return new BusPeerLinks(options)
}
