// PeerLinks inside one process, for tests: messages travel as text and arrive in a later turn. The test cuts and mends them.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PeerLinkListener, PeerLinks } from '../peers/links/peer-links.ts'

interface End<Message> {
  listener: PeerLinkListener<Message> | undefined
  up: Set<string>
  /** Messages on their way, by receiver. */
  sent: Map<string, number>
}

export class MemoryNetwork<Message> {
  readonly #ends = new Map<string, End<Message>>()
  /** Cut links, as `a b` with the names in order. */
  readonly #cut = new Set<string>()
  readonly #dead = new Set<string>()

  join(self: string): PeerLinks<Message> {
    const end: End<Message> = { listener: undefined, up: new Set(), sent: new Map() }
    this.#ends.set(self, end)
    return {
      self,
      send: (to, message) => this.#send(self, to, message),
      isUp: (peer) => end.up.has(peer),
      expect: () => {},
      backlog: (peer) => end.sent.get(peer) ?? 0,
      stats: () => ({
        bus: { isConnected: true, messagesIn: 0, messagesOut: 0, bytesIn: 0, bytesOut: 0, breaks: 0 },
        links: { up: end.up.size, breaks: 0, backlogBytes: 0 },
      }),
      break: (peer) => {
        this.#lower(self, peer)
        setImmediate(() => this.#raise(self, peer))
      },
      listen: (listener) => {
        end.listener = listener
        for (const other of this.#ends.keys()) if (other !== self) this.#raise(self, other)
      },
      close: () => this.kill(self),
    }
  }

  /** Both sides notice at once. What is on its way is lost. */
  cut(one: string, other: string): void {
    this.#cut.add(nameOf(one, other))
    this.#lower(one, other)
  }

  mend(one: string, other: string): void {
    this.#cut.delete(nameOf(one, other))
    this.#raise(one, other)
  }

  /** The gateway hears and says nothing any more. */
  kill(self: string): void {
    this.#dead.add(self)
    for (const other of this.#ends.keys()) this.#lower(self, other)
  }

  /** Resolves when nothing is on its way. */
  async quiet(): Promise<void> {
    while (this.#ends.values().some(({ sent }) => sent.values().some((count) => count > 0))) await nextTurn()
  }

  #send(from: string, to: string, message: Message): void {
    if (!this.#isUp(from, to)) return
    const { sent } = this.#ends.get(from)!
    const text = JSON.stringify(message)
    sent.set(to, (sent.get(to) ?? 0) + 1)
    setImmediate(() => {
      sent.set(to, sent.get(to)! - 1)
      if (this.#isUp(from, to)) this.#ends.get(to)?.listener?.message(from, JSON.parse(text) as Message)
    })
  }

  #isUp(from: string, to: string): boolean {
    return this.#ends.get(from)?.up.has(to) === true
  }

  #raise(one: string, other: string): void {
    const [first, second] = [this.#ends.get(one), this.#ends.get(other)]
    if (!first?.listener || !second?.listener || this.#cut.has(nameOf(one, other))) return
    if (this.#dead.has(one) || this.#dead.has(other) || first.up.has(other)) return
    first.up.add(other)
    second.up.add(one)
    first.listener.up(other)
    second.listener.up(one)
  }

  #lower(one: string, other: string): void {
    const [first, second] = [this.#ends.get(one), this.#ends.get(other)]
    if (!first?.up.delete(other) || !second?.up.delete(one)) return
    if (!this.#dead.has(one)) first.listener?.down(other, 'cut')
    if (!this.#dead.has(other)) second.listener?.down(one, 'cut')
  }
}

function nameOf(one: string, other: string): string {
  return [one, other].toSorted().join(' ')
}
