// One end of the link to one other gateway. See peer-links.ts for the rules of both ends.

import type { Clock } from '../../../time/clock.ts'
import { Incoming } from './incoming.ts'
import { Outgoing } from './outgoing.ts'
import type { PacketHead } from './packet.ts'

export interface PeerLinkWorld<Message> {
  publish: (head: PacketHead, body: Uint8Array | undefined) => void
  /** Calls `flush` at the end of this turn. */
  flushSoon: () => void
  up: () => void
  down: (why: string) => void
  message: (message: Message) => void
  pressed: (isPressed: boolean) => void
  clock: Clock
  /** Larger than every one before, for whichever gateway. */
  nextSession: () => number
}

/** The other end hears of arrived bytes at least this soon, unless something else is sent. */
const CONFIRM_MS = 50
const HELLO_MS = 500

export class PeerLink<Message> {
  isUp = false
  readonly #world: PeerLinkWorld<Message>
  #session: number
  #toSession = 0
  #heardAt: number
  #sentAt = Number.NEGATIVE_INFINITY
  #outgoing = new Outgoing()
  #incoming = new Incoming()
  #isConfirming = false

  constructor(world: PeerLinkWorld<Message>) {
    this.#world = world
    this.#session = world.nextSession()
    this.#heardAt = world.clock.now()
  }

  get backlogBytes(): number {
    return this.#outgoing.backlogBytes
  }

  /** Returns false if the message is dropped. Otherwise it leaves with the next flush. */
  send(message: Message): boolean {
    if (this.isUp) this.#outgoing.add(JSON.stringify(message))
    return this.isUp
  }

  /** Returns false if the other gateway is gone for good. */
  tick(now: number, silenceMs: number): boolean {
    const isSilent = now - this.#heardAt > silenceMs
    if (this.isUp && isSilent) this.break(`silent for ${silenceMs / 1_000} s`)
    if (isSilent) return false
    if (!this.isUp || now - this.#sentAt >= HELLO_MS) this.#hello()
    return true
  }

  sayGoodbye(): void {
    if (this.isUp) this.#publish('bye', undefined)
  }

  receive(head: PacketHead, body: Buffer, now: number): void {
    if (head.session < this.#toSession) return
    if (head.kind === 'bye') return this.break('it left')
    this.#heardAt = now
    if (head.session > this.#toSession) {
      // What was before is over for the other side.
      this.break('the other side lost it')
      this.#toSession = head.session
    }
    if (head.toSession !== this.#session) return head.kind === 'hello' ? this.#hello() : undefined
    if (!this.isUp) this.#open()
    if (this.#outgoing.confirm(head.received)) this.#transmit()
    this.#take(head, body)
  }

  break(why: string): void {
    if (!this.isUp) return
    this.isUp = false
    this.#session = this.#world.nextSession()
    this.#outgoing = new Outgoing()
    this.#incoming = new Incoming()
    this.#world.down(why)
    this.#hello()
  }

  /** Everything that was sent since the last flush. */
  flush(): void {
    if (!this.isUp) return
    this.#outgoing.cut()
    this.#transmit()
    if (this.#incoming.isMuchUntold) this.#hello()
  }

  #open(): void {
    this.isUp = true
    this.#hello()
    this.#world.up()
  }

  #take(head: PacketHead, body: Buffer): void {
    const taken = this.#incoming.take(head, body)
    if (taken === 'gap') return this.break('a message got lost')
    if (taken === 'old') return
    this.#confirmLater()
    if (taken !== 'part') this.#deliver(taken)
  }

  #confirmLater(): void {
    if (this.#incoming.isMuchUntold) this.#world.flushSoon()
    if (this.#isConfirming) return
    this.#isConfirming = true
    this.#world.clock.after(CONFIRM_MS, () => {
      this.#isConfirming = false
      if (this.isUp && this.#incoming.isUntold) this.#hello()
    })
  }

  #deliver(batch: Buffer): void {
    const session = this.#session
    for (const message of JSON.parse(batch.toString()) as Message[]) {
      if (this.#session !== session) return
      this.#world.message(message)
    }
  }

  #transmit(): void {
    for (let part = this.#outgoing.next(); part !== undefined; part = this.#outgoing.next())
      this.#publish(part.kind, part.body)
    const isPressed = this.#outgoing.pressure()
    if (isPressed !== undefined) this.#world.pressed(isPressed)
  }

  #hello(): void {
    this.#publish('hello', undefined)
  }

  #publish(kind: PacketHead['kind'], body: Uint8Array | undefined): void {
    const { bytes: received } = this.#incoming
    this.#sentAt = this.#world.clock.now()
    this.#incoming.toldBytes = received
    const [session, toSession] = [this.#session, this.#toSession]
    this.#world.publish({ kind, session, toSession, number: this.#outgoing.number, received }, body)
  }
}
