// A device's connection over ws. Frames sent in the same turn of the event loop leave as one message, which saves most of the system calls
// when there are many requests at once.

import { joinFrames } from '@hearth/protocol'
import type { WebSocket } from 'ws'
import type { DeviceSocket } from '../fleet/fleet.ts'

/** A message larger than this is sent right away. Devices accept messages of up to 1 MiB. */
const MAX_WAITING = 256 * 1024

export class DeviceWebSocket implements DeviceSocket {
  readonly address: string
  readonly #webSocket: WebSocket
  #waiting: string[] = []
  #waitingSize = 0

  constructor(webSocket: WebSocket, address: string) {
    this.address = address
    this.#webSocket = webSocket
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount + this.#waitingSize
  }

  send(text: string, whenSent?: () => void): void {
    if (whenSent) {
      this.#flush()
      return this.#webSocket.send(text, (error) => error ?? whenSent())
    }
    if (this.#waitingSize + text.length > MAX_WAITING) this.#flush()
    if (this.#waiting.push(text) === 1) setImmediate(() => this.#flush())
    this.#waitingSize += text.length
  }

  close(code: number, reason: string): void {
    this.#flush()
    this.#webSocket.close(code, reason)
  }

  #flush(): void {
    if (this.#waiting.length === 0) return
    const message = joinFrames(this.#waiting)
    this.#waiting = []
    this.#waitingSize = 0
    this.#webSocket.send(message)
  }
}
