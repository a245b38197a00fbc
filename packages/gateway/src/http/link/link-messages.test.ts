import type { IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { WebSocket } from 'ws'
import { LinkMessages, readInstead } from './link-messages.ts'
import { createLinkServer } from './link-server.ts'

const REQUEST = {
  method: 'GET',
  headers: {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  },
} as IncomingMessage

type Listen = (webSocket: WebSocket, events: unknown[]) => void

/** Everything that came of these chunks, in order. */
async function eventsOf(chunks: readonly Buffer[], listen: Listen): Promise<unknown[]> {
  const events: unknown[] = []
  const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() })
  const webSocket = await new Promise<WebSocket>((resolve) =>
    createLinkServer().handleUpgrade(REQUEST, socket, Buffer.alloc(0), resolve),
  )
  listen(webSocket, events)
  webSocket.on('ping', (data) => events.push(['ping', data.toString()]))
  webSocket.on('error', ({ message }) => events.push(['error', message]))
  for (const chunk of chunks) {
    socket.emit('data', Buffer.from(chunk))
    events.push(webSocket.readyState)
    // The library reports errors a little later.
    await new Promise((resolve) => setImmediate(resolve))
  }
  webSocket.terminate()
  return events
}

function byLibrary(chunks: readonly Buffer[]): Promise<unknown[]> {
  return eventsOf(chunks, (webSocket, events) =>
    webSocket.on('message', (data: Buffer, isBinary) => events.push(isBinary ? undefined : data.toString())),
  )
}

function byUs(chunks: readonly Buffer[]): Promise<unknown[]> {
  return eventsOf(chunks, (webSocket, events) => {
    const messages = new LinkMessages(webSocket, (text) => {
      events.push(text)
      if (text === 'close') webSocket.close()
    })
    readInstead(webSocket, (chunk) => messages.read(chunk))
  })
}

/** `first` is the first byte: the kind of frame, and whether it is complete. */
function frame(first: number, data: Buffer, mask: Buffer | undefined): Buffer {
  const isMasked = mask === undefined ? 0 : 0x80
  const size = data.length < 126 ? [isMasked | data.length] : [isMasked | 126, data.length >> 8, data.length & 255]
  const masked = data.map((byte, index) => byte ^ (mask?.[index & 3] ?? 0))
  return Buffer.concat([Buffer.from([first, ...size]), mask ?? Buffer.alloc(0), masked])
}

const MASK = fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => Buffer.from(bytes))
const TEXTS = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.string({ minLength: 120, maxLength: 700 }))
const WHOLE = fc.tuple(TEXTS, MASK).map(([text, mask]) => frame(0x81, Buffer.from(text), mask))
const ODD = fc
  .tuple(
    fc.constantFrom(0x01, 0x00, 0x80, 0x82, 0x89, 0x8a, 0x88, 0xc1, 0x91, 0x81),
    fc.uint8Array({ maxLength: 130 }),
    fc.option(MASK, { nil: undefined }),
  )
  .map(([first, data, mask]) => frame(first, Buffer.from(data), mask))
const FRAMES = fc.array(fc.oneof({ weight: 4, arbitrary: WHOLE }, ODD), { minLength: 1, maxLength: 8 })
const CUTS = fc.array(fc.nat({ max: 3_000 }), { maxLength: 6 })

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = [0, ...cuts.filter((place) => place < bytes.length).toSorted((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end))
}

describe('the messages of a link', () => {
  it('are the same as if the library had read all of them, wherever the bytes are cut', () =>
    fc.assert(
      fc.asyncProperty(FRAMES, CUTS, async (frames, cuts) => {
        const chunks = cut(Buffer.concat(frames), cuts)
        expect(await byUs(chunks)).toEqual(await byLibrary(chunks))
      }),
    ))

  it('are the same if each comes alone', () =>
    fc.assert(
      fc.asyncProperty(FRAMES, async (frames) => {
        expect(await byUs(frames)).toEqual(await byLibrary(frames))
      }),
    ))

  it('are not read by the library if they are whole', async () => {
    const whole = frame(0x81, Buffer.from('a'.repeat(500)), Buffer.from([1, 2, 3, 4]))
    const byTheLibrary = vi.fn<() => void>()
    await eventsOf([whole, Buffer.concat([whole, whole])], (webSocket, events) => {
      const messages = new LinkMessages(webSocket, (text) => events.push(text))
      webSocket.on('message', byTheLibrary)
      readInstead(webSocket, (chunk) => messages.read(chunk))
    })
    expect(byTheLibrary).not.toHaveBeenCalled()
  })

  it('are left to the library once the link closes, also in the middle of a chunk', async () => {
    const mask = Buffer.from([1, 2, 3, 4])
    const [close, late] = ['close', 'late'].map((text) => frame(0x81, Buffer.from(text), mask))
    expect(await byUs([Buffer.concat([close!, late!])])).toEqual(['close', 'late', 2])
  })
})
