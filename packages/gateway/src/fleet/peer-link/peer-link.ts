// One end of a peer link to one other gateway. See links.ts for the rules of both ends.

import type { PacketHead } from './packet.ts'

export interface PeerLinkWorld<Message> {
  publish: (head: PacketHead, body: Uint8Array | undefined) => void
  /** Calls `flush` at the end of this turn. */
  flushSoon: () => void
  after: (ms: number, act: () => void) => void
  up: () => void
  down: (why: string) => void
  message: (message: Message) => void
  pressed: (isPressed: boolean) => void
  now: () => number
  /** Larger than every one before, for whichever gateway. */
  nextSession: () => number
}

/** What the bus takes well in one message; NATS allows 1 MiB. */
const PART_BYTES = 256 * 1024
/** At most this much is on the bus at once. */
const WINDOW_BYTES = 4 * 1024 * 1024
/** The other side hears of arrived bytes at least this often. */
const CONFIRM_BYTES = 128 * 1024
/** And at least this soon, unless something else is sent. */
const CONFIRM_MS = 50
const HELLO_MS = 500
const HIGH_BYTES = 1024 * 1024
const LOW_BYTES = 256 * 1024

export class PeerLink<Message> {
  readonly #world: PeerLinkWorld<Message>
  #session: number
  #toSession = 0
  #isUp = false
  #heardAt: number
  #sentAt = Number.NEGATIVE_INFINITY
  #isPressed = false
  /** Sent: packets and bytes of this session; what waits as text for the next flush, and as parts for room on the bus. */
  #sentNumber = 0
  #sentBytes = 0
  #confirmedBytes = 0
  #texts: string[] = []
  #textBytes = 0
  #parts: { kind: 'part' | 'batch'; body: Uint8Array }[] = []
  #partBytes = 0
  /** Received. */
  #receivedNumber = 0
  #receivedBytes = 0
  #toldBytes = 0
  #begun: Uint8Array[] = []
  #isConfirming = false

  constructor(world: PeerLinkWorld<Message>) {
    this.#world = world
    this.#session = world.nextSession()
    this.#heardAt = world.now()
  }

  get isUp(): boolean {
    return this.#isUp
  }

  get backlogBytes(): number {
    return this.#sentBytes - this.#confirmedBytes + this.#partBytes + this.#textBytes
  }

  /** Returns false if the message is dropped. Otherwise it leaves with the next flush. */
  send(message: Message): boolean {
    if (!this.#isUp) return false
    const text = JSON.stringify(message)
    this.#texts.push(text)
    this.#textBytes += text.length
    return true
  }

  /** The other gateway is there, as the bus says. */
  heard(now: number): void {
    if (this.#isUp) return
    this.#heardAt = now
    this.#hello()
  }

  /** Returns false if the other gateway is gone for good. */
  tick(now: number, silenceMs: number): boolean {
    const isSilent = now - this.#heardAt > silenceMs
    if (this.#isUp && isSilent) this.break(`silent for ${silenceMs / 1_000} s`)
    if (isSilent) return false
    if (!this.#isUp || now - this.#sentAt >= HELLO_MS) this.#hello()
    return true
  }

  /** The other gateway said goodbye. */
  leave(): void {
    this.break('it left')
    this.#heardAt = Number.NEGATIVE_INFINITY
  }

  receive(head: PacketHead, body: Buffer, now: number): void {
    if (head.session < this.#toSession) return
    this.#heardAt = now
    if (head.session > this.#toSession) this.#meet(head.session)
    if (head.toSession !== this.#session) return this.#answer(head)
    if (!this.#isUp) this.#open()
    this.#confirm(head.received)
    this.#take(head, body)
  }

  break(why: string): void {
    if (!this.#isUp) return
    this.#isUp = false
    this.#session = this.#world.nextSession()
    this.#reset()
    this.#world.down(why)
    this.#hello()
  }

  /** Everything that was sent since the last flush. */
  flush(): void {
    if (!this.#isUp) return
    if (this.#texts.length > 0) this.#cut()
    this.#transmit()
    if (this.#receivedBytes - this.#toldBytes >= CONFIRM_BYTES) this.#hello()
    this.#checkPressure()
  }

  /** The other side began a session: what was before is over for it. */
  #meet(session: number): void {
    this.break('the other side lost it')
    this.#toSession = session
  }

  #answer({ kind }: PacketHead): void {
    if (kind === 'hello') this.#hello()
  }

  #open(): void {
    this.#isUp = true
    this.#hello()
    this.#world.up()
  }

  #reset(): void {
    this.#sentNumber = this.#sentBytes = this.#confirmedBytes = this.#textBytes = this.#partBytes = 0
    this.#receivedNumber = this.#receivedBytes = this.#toldBytes = 0
    this.#texts = []
    this.#parts = []
    this.#begun = []
    this.#isPressed = false
  }

  #confirm(bytes: number): void {
    if (bytes <= this.#confirmedBytes) return
    this.#confirmedBytes = bytes
    this.#transmit()
    this.#checkPressure()
  }

  #take(head: PacketHead, body: Buffer): void {
    const expected = head.kind === 'hello' ? this.#receivedNumber : this.#receivedNumber + 1
    if (head.number > expected) return this.break('a message got lost')
    if (head.number < expected || head.kind === 'hello') return
    this.#receivedNumber = head.number
    this.#receivedBytes += body.length
    this.#confirmLater()
    if (head.kind === 'part') this.#begun.push(Uint8Array.from(body))
    else this.#deliver(this.#joined(body))
  }

  #confirmLater(): void {
    if (this.#receivedBytes - this.#toldBytes >= CONFIRM_BYTES) this.#world.flushSoon()
    if (this.#isConfirming) return
    this.#isConfirming = true
    this.#world.after(CONFIRM_MS, () => {
      this.#isConfirming = false
      if (this.#isUp && this.#receivedBytes > this.#toldBytes) this.#hello()
    })
  }

  #joined(last: Buffer): Buffer {
    if (this.#begun.length === 0) return last
    const whole = Buffer.concat([...this.#begun, last])
    this.#begun = []
    return whole
  }

  #deliver(batch: Buffer): void {
    const session = this.#session
    for (const message of JSON.parse(batch.toString()) as Message[]) {
      if (this.#session !== session) return
      this.#world.message(message)
    }
  }

  /** Makes parts of the texts since the last flush. */
  #cut(): void {
    const batch = Buffer.from(`[${this.#texts.join(',')}]`)
    this.#texts = []
    this.#textBytes = 0
    this.#partBytes += batch.length
    for (let start = 0; start < batch.length; start += PART_BYTES) {
      const end = start + PART_BYTES
      this.#parts.push({ kind: end < batch.length ? 'part' : 'batch', body: batch.subarray(start, end) })
    }
  }

  #transmit(): void {
    while (this.#parts.length > 0 && this.#sentBytes - this.#confirmedBytes < WINDOW_BYTES) {
      const { kind, body } = this.#parts.shift()!
      this.#partBytes -= body.length
      this.#sentBytes += body.length
      this.#sentNumber += 1
      this.#publish(kind, body)
    }
  }

  #checkPressure(): void {
    const bytes = this.backlogBytes
    if (this.#isPressed ? bytes > LOW_BYTES : bytes < HIGH_BYTES) return
    this.#isPressed = !this.#isPressed
    this.#world.pressed(this.#isPressed)
  }

  #hello(): void {
    this.#publish('hello', undefined)
  }

  #publish(kind: PacketHead['kind'], body: Uint8Array | undefined): void {
    this.#sentAt = this.#world.now()
    this.#toldBytes = this.#receivedBytes
    const [session, toSession] = [this.#session, this.#toSession]
    this.#world.publish({ kind, session, toSession, number: this.#sentNumber, received: this.#receivedBytes }, body)
  }
}
