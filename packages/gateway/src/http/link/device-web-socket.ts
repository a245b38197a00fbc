// A device's connection over ws. While there are many requests at once, frames sent in the same turn of the event loop leave as one message,
// which saves most of the system calls. A frame that comes alone does not wait for the end of the turn.

import type { Duplex } from 'node:stream'
import { joinFrames } from '@hearth/protocol'
import { WebSocket } from 'ws'
import type { DeviceSocket } from '../../fleet/fleet.ts'
import { writeText } from './text-frame.ts'
import { gather } from '@hearth/chat'

/** A message larger than this is sent right away. Devices accept messages of up to 1 MiB. */
const MAX_WAITING = 256 * 1024

export class DeviceWebSocket implements DeviceSocket, Turning {
  readonly address: string
  readonly #webSocket: WebSocket
  /** The connection below the WebSocket. */
  readonly #socket: Duplex
  readonly #waiting: string[] = []
  #waitingSize = 0
  #framesInTurn = 0
  /** The last turn with a frame had several, so this one probably has too. */
  #isBusy = false

  constructor(webSocket: WebSocket, socket: Duplex, address: string) {
    this.address = address
    this.#webSocket = webSocket
    this.#socket = socket
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount + this.#waitingSize
  }

  send(text: string, whenSent?: () => void): void {
    if (whenSent) {
      this.#flush()
      // In a turn of its own: as long as the system has room, each part of a large request would follow the last one at once.
      return this.#webSocket.send(text, (error) => error ?? setImmediate(whenSent))
    }
    if (this.#waitingSize + text.length > MAX_WAITING) this.#flush()
    this.#waiting.push(text)
    this.#waitingSize += text.length
    if (++this.#framesInTurn > 1) return
    atEndOfTurn(this)
    if (!this.#isBusy) queueMicrotask(() => this.#flush())
  }

  close(code: number, reason: string): void {
    this.#flush()
    this.#webSocket.close(code, reason)
  }

  endTurn(): void {
    this.#flush()
    this.#isBusy = this.#framesInTurn > 1
    this.#framesInTurn = 0
  }

  #flush(): void {
    if (this.#waiting.length === 0) return
    const message = joinFrames(this.#waiting)
    this.#waiting.length = 0
    this.#waitingSize = 0
    if (this.#webSocket.readyState === WebSocket.OPEN) writeText(this.#socket, message)
  }
}

interface Turning {
  endTurn(): void
}

/**
 * Calls `endTurn` at the end of this turn of the event loop, once per call. However many ask, they
 * share one immediate.
 */
const atEndOfTurn = gather<Turning>(
  (takeAll) => setImmediate(takeAll),
  (turning) => turning.endTurn(),
)
