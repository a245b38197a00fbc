import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { CLOSE, encodeFrame, MAX_FRAGMENTS, MAX_FRAME_BYTES, MAX_HELLO_BYTES, type Hello } from '@hearth/protocol'
import { openBudgets } from '../../budget/memory-budgets.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { AccessBook } from '../../access/book/access-book.ts'
import { DialLimiter } from '../../access/limits/dial-limiter.ts'
import type { DeviceConnection, DeviceSocket, Fleet } from '../../fleet/fleet.ts'
import { DeviceHub } from '../../fleet/devices/device-hub.ts'
import { recordedGateways } from '../../fleet/testing/recorded-gateways.ts'
import { createUpgradeHandler, type Upgrade, type UpgradeContext } from './device-upgrade.ts'
import { createIdentifyDevice } from './identify-device.ts'

const device = { id: 'd', organization: 'acme', name: 'd' }
const hello: Hello = { type: 'hello', protocols: [1], app: '1', boot: 'b', engine: 'e', models: [] }

interface Prepared extends Omit<UpgradeContext, 'identify'> {
  book: AccessBook
}

function prepare(more: Partial<Prepared>): Upgrade {
  const { book, ...rest }: Prepared = {
    book: { isFresh: true, device: () => device } as unknown as AccessBook,
    fleet: { accept: () => expect.unreachable('the device got a link') } as unknown as Fleet,
    dialLimiter: new DialLimiter(),
    addressHeader: '',
    onInternalError: () => expect.unreachable(),
    ...more,
  }
  return createUpgradeHandler({ ...rest, identify: createIdentifyDevice({ ...rest, book, isDraining: () => false }) })
}

async function reject(upgrade: Upgrade, more: Record<string, string> = {}): Promise<string> {
  const [ours, theirs] = duplexPair()
  createServer().on('upgrade', upgrade).emit('connection', ours)
  const websocket = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }
  const headers = { host: 'x', authorization: 'Bearer credential', upgrade: 'websocket', connection: 'Upgrade' }
  const lines = Object.entries({ ...headers, ...websocket, ...more }).map(([name, value]) => `${name}: ${value}`)
  theirs.write(['GET /device/v1/link HTTP/1.1', ...lines, '', ''].join('\r\n'))
  return text(theirs)
}

/** A device that is connected to a real hub, and both ends of the connection. */
async function connect() {
  const hubOptions = {
    pingIntervals: { busyMs: 5_000, idleMs: 15_000 },
    budgets: openBudgets({ totalBytes: undefined, heapLimitBytes: 2 ** 32, maxBodyBytes: 1 }),
  }
  const hub = new DeviceHub({ ...hubOptions, gateways: recordedGateways() })
  onTestFinished(() => hub.registry.close())
  const accept =
    async () =>
    (socket: DeviceSocket): DeviceConnection =>
      hub.registry.accept(device, 1, socket)
  const [ours, theirs] = duplexPair()
  const server = createServer().on('upgrade', prepare({ fleet: { accept } as unknown as Fleet }))
  server.emit('connection', ours)
  const createConnection = () => theirs as unknown as Socket
  // The gateway answers no close frame in the middle of a message.
  const options = { createConnection, headers: { authorization: 'Bearer credential' }, closeTimeout: 1 }
  const peer = new WebSocket('ws://gateway/device/v1/link', options)
  const closed = once(peer, 'close').then(([code, reason]: unknown[]) => ({ code, reason: String(reason) }))
  await once(peer, 'open')
  /** The head of a text message. Its bytes are up to the test. */
  const begin = (length: number) => {
    const head = Buffer.alloc(14)
    head.set([0x80 | 1, 0x80 | 127])
    head.writeUInt32BE(length, 6)
    theirs.write(head)
  }
  const read = async () => String((await once(peer, 'message'))[0])
  return { peer, hub, ours, theirs, closed, begin, read }
}

describe('a device that connects', () => {
  it('is rejected if a browser sends it, even with a credential that is right', async () => {
    expect(await reject(prepare({}), { origin: 'https://page.test' })).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('gets a 401 if it is removed while its link is prepared', async () => {
    let isKnown = true
    const book = { isFresh: true, device: () => (isKnown ? device : undefined) } as unknown as AccessBook
    const prepared = Promise.withResolvers<Awaited<ReturnType<Fleet['accept']>>>()
    const fleet = { accept: () => prepared.promise } as unknown as Fleet
    const rejected = reject(prepare({ book, fleet }))
    isKnown = false
    prepared.resolve(() => expect.unreachable('the device got a link'))
    expect(await rejected).toMatch(/^HTTP\/1\.1 401 /)
  })
})

it('a gateway that fails while a device connects reports its own error, and tells the device only that there was one', async () => {
  const error = new Error('a detail of ours')
  const onInternalError = vi.fn<UpgradeContext['onInternalError']>()
  const fleet = { accept: () => Promise.reject(error) } as unknown as Fleet
  const answer = await reject(prepare({ fleet, onInternalError }))
  expect(answer).toMatch(/^HTTP\/1\.1 500 /)
  expect(answer).not.toContain('a detail of ours')
  expect(onInternalError).toHaveBeenCalledExactlyOnceWith(error, 'device link')
})

describe('a device that dials without end', () => {
  it('gets a 429 with a retry-after after 300 dials in a minute, before anything else is done', async () => {
    const accept = vi.fn<Fleet['accept']>(() => Promise.reject(new Error('not now')))
    const onInternalError = vi.fn<UpgradeContext['onInternalError']>()
    const fleet = { accept } as unknown as Fleet
    const upgrade = prepare({ fleet, dialLimiter: new DialLimiter(() => 0), onInternalError })
    for (let dial = 0; dial < 300; dial++) expect(await reject(upgrade)).toMatch(/^HTTP\/1\.1 500 /)
    expect(await reject(upgrade)).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 1\r\n/)
    expect(accept).toHaveBeenCalledTimes(300)
    expect(onInternalError).toHaveBeenCalledTimes(300)
  })

  it('gets a 429 with an unknown credential after 20 dials in a minute from its network', async () => {
    const book = { isFresh: true, device: () => undefined } as unknown as AccessBook
    const upgrade = prepare({ book, dialLimiter: new DialLimiter(() => 0) })
    for (let dial = 0; dial < 20; dial++) expect(await reject(upgrade)).toMatch(/^HTTP\/1\.1 401 /)
    expect(await reject(upgrade)).toMatch(/^HTTP\/1\.1 429 [^]*retry-after: 3\r\n/)
  })

  it('does not count against other devices of its network', async () => {
    const book = { isFresh: true, device: () => undefined as typeof device | undefined }
    const fleet = { accept: () => Promise.reject(new Error('not now')) } as unknown as Fleet
    const upgrade = prepare({
      book: book as unknown as AccessBook,
      fleet,
      dialLimiter: new DialLimiter(() => 0),
      onInternalError: () => {},
    })
    for (let dial = 0; dial < 30; dial++) await reject(upgrade)
    book.device = () => device
    expect(await reject(upgrade)).toMatch(/^HTTP\/1\.1 500 /)
  })
})

describe('a device that sends pieces of messages', () => {
  it('is disconnected when a message comes in too many fragments', async () => {
    const { peer, closed } = await connect()
    for (let fragment = 0; fragment <= MAX_FRAGMENTS; fragment++) peer.send('a', { fin: false })
    expect(await closed).toEqual({ code: 1008, reason: 'a message came in too many pieces' })
  })

  it('may send a message in fragments', async () => {
    const { peer, read } = await connect()
    const message = encodeFrame({ ...hello, engine: 'e'.repeat(200) })
    const pieces = message.match(/[^]{1,2}/g)!
    pieces.forEach((piece, index) => peer.send(piece, { fin: index === pieces.length - 1 }))
    expect(await read()).toContain('"type":"welcome"')
  })

  it('is disconnected when the bytes of a frame come one by one', async () => {
    const { theirs, begin, closed } = await connect()
    begin(MAX_FRAME_BYTES)
    for (let byte = 0; byte < 3_000 && theirs.writable; byte++) theirs.write('a')
    expect(await closed).toEqual({ code: 1008, reason: 'a message came in too many pieces' })
  })

  it('is disconnected when it sends too much before its hello', async () => {
    const { theirs, begin, closed } = await connect()
    begin(MAX_FRAME_BYTES)
    for (let kib = 0; kib <= MAX_HELLO_BYTES; kib += 16 * 1024) theirs.write(Buffer.alloc(16 * 1024))
    expect(await closed).toMatchObject({
      code: CLOSE.malformedFrame,
      reason: expect.stringMatching(/before a complete hello/) as string,
    })
  })

  it('is told why when a message is too large', async () => {
    const { peer, begin, closed, read } = await connect()
    peer.send(encodeFrame(hello))
    await read()
    begin(MAX_FRAME_BYTES + 1)
    expect(await closed).toEqual({ code: 1009, reason: `a message must have at most ${MAX_FRAME_BYTES} bytes` })
  })
})

describe('a device that pings', () => {
  it('gets a pong', async () => {
    const { peer } = await connect()
    peer.ping('one')
    expect(String(await once(peer, 'pong'))).toBe('one')
  })

  it('gets no more pongs while it does not read them', async () => {
    const { peer, hub, ours } = await connect()
    const drained = Promise.withResolvers<void>()
    hub.deviceChanged = ({ state }) => void (state.name === 'draining' && drained.resolve())
    peer.pause()
    peer.send(encodeFrame(hello))
    for (let ping = 0; ping < 2_000; ping++) peer.ping('p'.repeat(125))
    peer.send(encodeFrame({ type: 'drain' }))
    await drained.promise
    expect(ours.writableLength).toBeLessThan(70 * 1024)
  })
})
