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
  let ready: string[] = []
  let waitingBytes = 0
  let isOpen = true
  let roomAgain: PromiseWithResolvers<void> | undefined

  function flush(): void {
    const frames = ready
    ready = []
    if (!isOpen) return
    for (const message of packMessages(frames)) {
      const bytes = Buffer.byteLength(message)
      waitingBytes += bytes
      socket.send(message, () => sent(bytes))
    }
  }

  function sent(bytes: number): void {
    waitingBytes -= bytes
    if (waitingBytes < FULL_BYTES) makeRoom()
  }

  function makeRoom(): void {
    roomAgain?.resolve()
    roomAgain = undefined
  }

  return {
    send(frame) {
      if (!isOpen) return
      if (ready.length === 0) setImmediate(flush)
      ready.push(encodeFrame(frame))
    },
    room() {
      if (!isOpen || waitingBytes < FULL_BYTES) return undefined
      roomAgain ??= Promise.withResolvers()
      return roomAgain.promise
    },
    flush,
    close() {
      isOpen = false
      makeRoom()
    },
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
