import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { WebSocket } from 'ws'
import type { DeviceConnection } from '../../fleet/fleet.ts'
import { LinkGuard } from './link-guard.ts'

const CHUNK = Buffer.alloc(65_536)

/** Links whose chunks take as long as the test says. */
function open() {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const guard = new LinkGuard(() => Date.now())
  const link = (organization = 'o') => {
    const socket = new EventEmitter()
    const webSocket = Object.assign(new EventEmitter(), {
      isPaused: false,
      pause: () => void (webSocket.isPaused = true),
      resume: () => void (webSocket.isPaused = false),
      terminate: vi.fn<() => void>(),
    })
    const arriving = vi.fn<DeviceConnection['arriving']>(() => true)
    let tookMs = 0
    socket.on('data', () => vi.advanceTimersByTime(tookMs))
    guard.watch(
      socket as unknown as Duplex,
      webSocket as unknown as WebSocket,
      { id: 'd', organization, name: 'd' },
      { isGreeting: false, receive: () => {}, arriving, ended: () => {}, close: () => {} },
    )
    const send = (bytes: number, ms: number) => {
      tookMs = ms
      socket.emit('data', CHUNK.subarray(0, bytes))
    }
    return { webSocket, send, arriving, end: () => socket.emit('close') }
  }
  return { link }
}

/** The link is not read for so long, and then again. */
function expectPause(webSocket: { isPaused: boolean }, ms: number): void {
  expect(webSocket.isPaused).toBe(true)
  vi.advanceTimersByTime(ms)
  expect(webSocket.isPaused).toBe(false)
}

type Link = ReturnType<ReturnType<typeof open>['link']>

/** Milliseconds of the next twenty seconds that reading the links takes if they send without end. */
function busyMs(links: readonly Link[], chunkMs: number, bytes = 1): number {
  const until = Date.now() + 20_000
  let spent = 0
  while (Date.now() < until) {
    const readable = links.filter(({ webSocket }) => !webSocket.isPaused)
    for (const { send } of readable) send(bytes, chunkMs)
    spent += readable.length * chunkMs
    if (readable.length === 0) vi.advanceTimersByTime(1)
  }
  return spent
}

describe('a device that keeps the gateway busy', () => {
  it.each([1, 10, 90])('is read for half of the time at most, with chunks that take %i ms', (ms) => {
    const { link } = open()
    expect(busyMs([link()], ms)).toBeLessThan(0.55 * 20_000)
  })

  it('shares three quarters of the time with the other devices of its organization', () => {
    const { link } = open()
    const spent = busyMs([link(), link(), link(), link()], 5)
    expect(spent).toBeGreaterThan(0.6 * 20_000)
    expect(spent).toBeLessThan(0.8 * 20_000)
  })

  it('is read at no more than 32 MiB per second, however little time it takes', () => {
    const { link } = open()
    const { send, webSocket } = link()
    let bytes = 0
    for (let ms = 0; ms < 10_000; ms++) {
      for (; !webSocket.isPaused; bytes += 64 * 1024) send(64 * 1024, 0)
      vi.advanceTimersByTime(1)
    }
    expect(bytes / 10).toBeLessThan(36 * 1024 * 1024)
    expect(bytes / 10).toBeGreaterThan(30 * 1024 * 1024)
  })

  it('is not read twice in the same turn if the first time took long', () => {
    const { link } = open()
    const { send, webSocket } = link()
    send(1, 10)
    expect(webSocket.isPaused).toBe(false)
    send(1, 11)
    expectPause(webSocket, 1)
  })

  it('slows down others of its organization until the next turn, and none of other organizations', () => {
    const { link } = open()
    const links = [link('a'), link('a'), link('b')]
    links[0]!.send(1, 11)
    links[2]!.send(1, 0)
    expect(links.map(({ webSocket }) => webSocket.isPaused)).toEqual([true, true, false])
    vi.advanceTimersByTime(1)
    expect(links.map(({ webSocket }) => webSocket.isPaused)).toEqual([false, false, false])
  })

  it('is read again after a second, however long the machine slept', () => {
    const { link } = open()
    const { send, webSocket } = link()
    send(1, 1_000_000)
    expectPause(webSocket, 1_000)
  })

  it("cannot renew its organization's share by connecting again", () => {
    const { link } = open()
    const [one, two] = [link(), link()]
    one.send(1, 2_000)
    one.end()
    const again = link()
    again.send(1, 1)
    expect([two, again].map(({ webSocket }) => webSocket.isPaused)).toEqual([false, true])
  })
})

describe('a message that arrives in pieces', () => {
  it('counts until it is complete, with what its pieces take beyond their bytes', () => {
    const { webSocket, send, arriving } = open().link()
    send(65_536, 0)
    send(10, 0)
    expect(arriving.mock.calls).toEqual([[65_536 + 512], [65_536 + 10 + 2 * 512]])
    webSocket.emit('message')
    send(20, 0)
    expect(arriving).toHaveBeenLastCalledWith(0)
    send(20, 0)
    expect(arriving).toHaveBeenCalledTimes(3)
  })

  it('is not read to its end if there is no room for it', () => {
    const { webSocket, send, arriving } = open().link()
    arriving.mockReturnValue(false)
    send(65_536, 0)
    expect(webSocket.isPaused).toBe(true)
    vi.runAllTimers()
    expect(webSocket.isPaused).toBe(true)
    expect(webSocket.terminate).toHaveBeenCalledOnce()
  })

  it('costs nothing while it is small', () => {
    const { webSocket, send, arriving } = open().link()
    for (let count = 0; count < 1_000; count++) {
      webSocket.emit('message')
      send(200, 0)
    }
    expect(arriving).not.toHaveBeenCalled()
  })
})
