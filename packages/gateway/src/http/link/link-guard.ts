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
  links: Set<WebSocket>
}

export class LinkGuard {
  readonly #organizations = new Map<string, OrganizationShare>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** `socket` is the connection below the WebSocket. Call this once the WebSocket listens to it. */
  watch(socket: Duplex, webSocket: WebSocket, { organization }: DeviceIdentity, connection: DeviceConnection): void {
    const own = new LoopShare(SHARE_OF_A_LINK, this.#now())
    const common = this.#enter(organization, webSocket)
    let startedAt = 0
    let greetingBytes = 0
    let arrivingBytes = 0
    let countedBytes = 0
    // Whatever follows the end of a message in the same chunk counts with all of the chunk.
    webSocket.on('message', () => (arrivingBytes = 0))
    socket.prependListener('data', () => (startedAt = this.#now()))
    socket.on('data', ({ length }: Buffer) => {
      const now = this.#now()
      if (connection.isGreeting && (greetingBytes += length) > MAX_HELLO_BYTES) {
        connection.close(CLOSE.malformedFrame, `more than ${MAX_HELLO_BYTES} bytes before a complete hello`)
        return cut(webSocket)
      }
      arrivingBytes += length + CHUNK_BYTES
      if (arrivingBytes > COUNTED_BYTES || countedBytes > 0) {
        countedBytes = arrivingBytes > COUNTED_BYTES ? arrivingBytes : 0
        if (!connection.arriving(countedBytes)) return cut(webSocket)
      }
      const tookMs = now - startedAt
      const waitMs = Math.max(own.spend(tookMs, length, now), common.share.spend(tookMs, length, now))
      hold([webSocket], waitMs)
      // Several links may have something to read in the same turn.
      if (tookMs > LONG_MS) hold(common.links, TURN_MS)
    })
    socket.once('close', () => this.#leave(organization, common, webSocket))
  }

  #enter(organization: string, webSocket: WebSocket): OrganizationShare {
    const known = this.#organizations.get(organization)
    const entry = known ?? { share: new LoopShare(SHARE_OF_AN_ORGANIZATION, this.#now()), links: new Set() }
    entry.links.add(webSocket)
    this.#organizations.set(organization, entry)
    return entry
  }

  #leave(organization: string, entry: OrganizationShare, webSocket: WebSocket): void {
    entry.links.delete(webSocket)
    if (entry.links.size === 0) this.#organizations.delete(organization)
  }
}

/** Reads nothing of these for a while. One timer is enough: there may be thousands. */
function hold(links: Iterable<WebSocket>, ms: number): void {
  if (ms === 0) return
  const held = [...links].filter(({ isPaused }) => !isPaused)
  for (const webSocket of held) webSocket.pause()
  if (held.length > 0) setTimeout(() => held.forEach((webSocket) => webSocket.resume()), ms)
}

/** Reads nothing more: until the other end confirms a close, everything it sends would be kept. */
function cut(webSocket: WebSocket): void {
  webSocket.pause()
  setTimeout(() => webSocket.terminate(), LAST_WORDS_MS)
}
