// Outgoing frames of one link. Frames from the same turn go out in one message. Bytes that the network has not accepted yet are counted, so
// that jobs pause behind a slow connection instead of filling memory.

import { encodeFrame, joinFrames, MAX_FRAME_BYTES, type DeviceFrame } from '@hearth/protocol'
import type { LinkSocket } from './socket.ts'

/** Small enough that a pong behind it still arrives in time at 64 kbit/s. */
export const FULL_BYTES = 64 * 1024

export class Outbox {
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

  /** Undefined if there is room; otherwise resolves when the network catches up, or when the link is gone. */
  room(): Promise<void> | undefined {
    if (!this.#isOpen || this.#waitingBytes < FULL_BYTES) return undefined
    this.#roomAgain ??= Promise.withResolvers()
    return this.#roomAgain.promise
  }

  /** Sends the frames of this turn right away. */
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

  /** Drops all frames from now on. */
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

/** Packs frames into as few messages as the size limit allows, in order. */
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
