// Frames on their way out of one link. What becomes ready in the same turn leaves in one message; what the network has not taken yet is
// counted, so that jobs stop producing instead of filling memory behind a slow line.

import { encodeFrame, joinFrames, MAX_FRAME_BYTES, type DeviceFrame } from '@hearth/protocol'
import type { LinkSocket } from './socket.ts'

export interface Outbox {
  send(frame: DeviceFrame): void
  /** Undefined when there is room; otherwise resolves when the network keeps up again, or when the link is gone. */
  room(): Promise<void> | undefined
  /** Hands over at once what was to leave in this turn. */
  flush(): void
  /** Frames sent from now on go nowhere. */
  close(): void
}

/** Small enough that a pong behind it still arrives in time on a line of 64 kbit/s. */
export const FULL_BYTES = 64 * 1024

export function createOutbox(socket: LinkSocket): Outbox {
  return new CountingOutbox(socket)
}

class CountingOutbox implements Outbox {
  readonly #socket: LinkSocket
  #ready: string[] = []
  #waitingBytes = 0
  #isOpen = true
  #roomAgain: PromiseWithResolvers<void> | undefined

  constructor(socket: LinkSocket) {
    this.#socket = socket
  }

  send(frame: DeviceFrame): void {
    if (!this.#isOpen) return
    if (this.#ready.length === 0) setImmediate(() => this.flush())
    this.#ready.push(encodeFrame(frame))
  }

  room(): Promise<void> | undefined {
    if (!this.#isOpen || this.#waitingBytes < FULL_BYTES) return undefined
    this.#roomAgain ??= Promise.withResolvers()
    return this.#roomAgain.promise
  }

  flush(): void {
    const frames = this.#ready
    this.#ready = []
    if (!this.#isOpen) return
    for (const message of packMessages(frames)) {
      const bytes = Buffer.byteLength(message)
      this.#waitingBytes += bytes
      this.#socket.send(message, () => this.#sent(bytes))
    }
  }

  close(): void {
    this.#isOpen = false
    this.#makeRoom()
  }

  #sent(bytes: number): void {
    this.#waitingBytes -= bytes
    if (this.#waitingBytes < FULL_BYTES) this.#makeRoom()
  }

  #makeRoom(): void {
    this.#roomAgain?.resolve()
    this.#roomAgain = undefined
  }
}

/** As few messages as the size limit of a message allows, in order. */
export function packMessages(frames: readonly string[], limitBytes = MAX_FRAME_BYTES): string[] {
  const messages: string[] = []
  let group: string[] = []
  let groupBytes = 2
  for (const frame of frames) {
    const bytes = Buffer.byteLength(frame) + 1
    if (group.length > 0 && groupBytes + bytes > limitBytes) {
      messages.push(joinFrames(group))
      group = []
      groupBytes = 2
    }
    group.push(frame)
    groupBytes += bytes
  }
  if (group.length > 0) messages.push(joinFrames(group))
  return messages
}
