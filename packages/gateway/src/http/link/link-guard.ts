// Bounds what a device can do to the process with the bytes it sends, below the frames: how much of the process's time they take, how much
// memory they take until their message is complete, and how many may come before the device has said hello.

import type { Duplex } from 'node:stream'
import { CLOSE, MAX_HELLO_BYTES } from '@hearth/protocol'
import type { WebSocket } from 'ws'
import type { DeviceConnection, DeviceIdentity } from '../../fleet/fleet.ts'
import { LoopShare } from './loop-share.ts'

/** Of each second. The fastest real devices need a tenth. */
export const SHARE_OF_A_LINK = 0.5
/** The rest is for everyone else. */
export const SHARE_OF_AN_ORGANIZATION = 0.75

/** After reading for this long at once, everyone else gets a turn before a link of the organization is read again. */
const LONG_MS = 10
const TURN_MS = 1

/** Beyond its bytes, each chunk that waits for the rest of its message takes this much memory. */
const CHUNK_BYTES = 512
/** Less is not worth counting. Nearly all messages are smaller. */
export const COUNTED_BYTES = 8 * 1024

/** How long a device that sent too much has to read why its connection is closed. */
const LAST_WORDS_MS = 250

interface OrganizationShare {
  share: LoopShare
  links: number
  /** Links that sent something while none is read; undefined while they are. Only these are paused, because there may be thousands. */
  waiting: WebSocket[] | undefined
}

export interface GuardedLink {
  /** The connection below the WebSocket. */
  socket: Duplex
  webSocket: WebSocket
  connection: DeviceConnection
  messages: Messages
}

export interface Messages {
  /** How many were complete so far. */
  readonly count: number
  /** Reads some bytes. False if the rest has to wait. */
  read(chunk: Buffer): boolean
}

export class LinkGuard {
  readonly #organizations = new Map<string, OrganizationShare>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  watch(link: GuardedLink, { organization }: DeviceIdentity): WatchedLink {
    const common = this.#enter(organization)
    link.socket.once('close', () => this.#leave(organization, common))
    return new WatchedLink(link, common, this.#now)
  }

  #enter(organization: string): OrganizationShare {
    const entry = this.#organizations.get(organization) ?? {
      share: new LoopShare(SHARE_OF_AN_ORGANIZATION, this.#now()),
      links: 0,
      waiting: undefined,
    }
    entry.links += 1
    this.#organizations.set(organization, entry)
    return entry
  }

  #leave(organization: string, entry: OrganizationShare): void {
    entry.links -= 1
    if (entry.links === 0) this.#organizations.delete(organization)
  }
}

export class WatchedLink {
  readonly #link: GuardedLink
  readonly #own: LoopShare
  readonly #common: OrganizationShare
  readonly #now: () => number
  #greetingBytes = 0
  #arrivingBytes = 0
  #countedBytes = 0

  constructor(link: GuardedLink, common: OrganizationShare, now: () => number) {
    this.#link = link
    this.#own = new LoopShare(SHARE_OF_A_LINK, now())
    this.#common = common
    this.#now = now
  }

  /** False if the rest has to wait. */
  read(chunk: Buffer): boolean {
    const { waiting } = this.#common
    const { socket, messages } = this.#link
    // Of a connection that is closed, this is the last chunk.
    if (waiting !== undefined && !socket.destroyed) return this.#wait(waiting, chunk)
    const startedAt = this.#now()
    const { count } = messages
    const canContinue = messages.read(chunk)
    const now = this.#now()
    // Whatever follows the end of a message in the same chunk counts with all of the chunk.
    if (messages.count !== count) this.#arrivingBytes = 0
    if (this.#count(chunk.length)) this.#spend(now - startedAt, chunk.length, now)
    return canContinue
  }

  #wait(waiting: WebSocket[], chunk: Buffer): boolean {
    const { socket, webSocket } = this.#link
    webSocket.pause()
    socket.unshift(chunk)
    waiting.push(webSocket)
    return true
  }

  /** False if the device sent too much. */
  #count(length: number): boolean {
    const { connection } = this.#link
    if (connection.isGreeting && (this.#greetingBytes += length) > MAX_HELLO_BYTES) {
      connection.close(CLOSE.malformedFrame, `more than ${MAX_HELLO_BYTES} bytes before a complete hello`)
      return this.#cut()
    }
    this.#arrivingBytes += length + CHUNK_BYTES
    const isWorthIt = this.#arrivingBytes > COUNTED_BYTES
    if (!isWorthIt && this.#countedBytes === 0) return true
    this.#countedBytes = isWorthIt ? this.#arrivingBytes : 0
    return connection.arriving(this.#countedBytes) || this.#cut()
  }

  #spend(tookMs: number, bytes: number, now: number): void {
    const { share } = this.#common
    const waitMs = Math.max(this.#own.spend(tookMs, bytes, now), share.spend(tookMs, bytes, now))
    if (waitMs > 0) hold(this.#link.webSocket, waitMs)
    // Several links may have something to read in the same turn.
    if (tookMs > LONG_MS) letOthersIn(this.#common)
  }

  /** Reads nothing more: until the other end confirms a close, everything it sends would be kept. */
  #cut(): false {
    const { webSocket } = this.#link
    webSocket.pause()
    setTimeout(() => webSocket.terminate(), LAST_WORDS_MS)
    return false
  }
}

/** Reads nothing of the link for a while. */
function hold(webSocket: WebSocket, ms: number): void {
  if (webSocket.isPaused) return
  webSocket.pause()
  setTimeout(() => webSocket.resume(), ms)
}

/** Reads nothing of the organization for a turn. */
function letOthersIn(common: OrganizationShare): void {
  const waiting: WebSocket[] = (common.waiting = [])
  setTimeout(() => {
    common.waiting = undefined
    for (const webSocket of waiting) webSocket.resume()
  }, TURN_MS)
}
