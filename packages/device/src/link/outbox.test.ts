import { describe, expect, it } from 'vitest'
import { parseDeviceFrames, type DeviceFrame } from '@hearth/protocol'
import { settle } from '../testing/manual-clock.ts'
import { Outbox, FULL_BYTES, packMessages } from './outbox.ts'
import type { LinkSocket } from './socket.ts'

function slowSocket(): LinkSocket & { messages: string[]; take(): void } {
  const messages: string[] = []
  const callbacks: (() => void)[] = []
  return {
    messages,
    take: () => callbacks.splice(0).forEach((callback) => callback()),
    send: (text, sent) => {
      messages.push(text)
      callbacks.push(sent)
    },
    probe: () => {},
    close: () => {},
    terminate: () => {},
  }
}

const delta = (text: string, sequence = 0): DeviceFrame => ({
  type: 'job-delta',
  job: 'j',
  attempt: 0,
  sequence,
  choice: 0,
  text,
})

describe('outbox', () => {
  it('sends frames of the same turn as one message, in order', async () => {
    const socket = slowSocket()
    const outbox = new Outbox(socket)
    outbox.send(delta('a', 0))
    outbox.send(delta('b', 1))
    await Promise.resolve()
    outbox.send({ type: 'pong' })
    await settle()
    outbox.send(delta('c', 2))
    await settle()
    expect(socket.messages).toHaveLength(2)
    const types: string[] = []
    socket.messages.forEach((message) => parseDeviceFrames(message, (frame) => types.push(frame.type)))
    expect(types).toEqual(['job-delta', 'job-delta', 'pong', 'job-delta'])
  })

  it('has no room while too much waits for the network, and again once it was sent', async () => {
    const socket = slowSocket()
    const outbox = new Outbox(socket)
    outbox.send(delta('x'.repeat(FULL_BYTES)))
    await settle()
    let hasRoom = false
    const room = outbox.room()?.then(() => (hasRoom = true))
    await settle()
    expect(hasRoom).toBe(false)
    socket.take()
    await room
    expect(hasRoom).toBe(true)
    expect(outbox.room()).toBeUndefined()
  })

  it('releases waiting jobs and sends nothing once the link is gone', async () => {
    const socket = slowSocket()
    const outbox = new Outbox(socket)
    outbox.send(delta('x'.repeat(FULL_BYTES)))
    await settle()
    const room = outbox.room()
    outbox.send(delta('late'))
    outbox.close()
    expect(room).toBeInstanceOf(Promise)
    await room
    outbox.send(delta('later'))
    await settle()
    expect(socket.messages).toHaveLength(1)
  })

  it('never packs frames beyond the size limit of a message', () => {
    const frames = ['"aaaa"', '"bbbb"', '"cccc"', '"ééééééééé"']
    expect(packMessages(frames, 18)).toEqual(['["aaaa","bbbb"]', '"cccc"', '"ééééééééé"'])
    expect(packMessages(frames)).toEqual([`[${frames.join(',')}]`])
    expect(packMessages([])).toEqual([])
  })
})
