// A TCP proxy between a device and the gateway, like a Wi-Fi that drops: `cut` breaks every connection at once. It counts what the device
// sends, so that a test can do something at a certain byte, in the middle of a frame.

import { connect } from 'node:net'
import { startTcpProxy, type TcpProxy } from './listen.ts'

/** `origin` is where the device finds the gateway. */
export interface CuttableLink extends TcpProxy {
  cut(): void
  /** Everything that the device has sent so far. */
  sentBytes(): number
  /** Calls back as soon as the device has sent this many more bytes, before anything after them gets through. */
  afterBytes(count: number, onReached: () => void): void
  /** Calls back for everything that passes, until the next one is given. */
  watch(onPassed: (direction: 'to device' | 'from device') => void): void
  /** Forgets what `afterBytes` was asked for. */
  forget(): void
}

/** Counts bytes, and stops at a mark among them. */
class Meter {
  bytes = 0
  mark: { byte: number; onReached: () => void } | undefined;

  *pass(chunk: Buffer): Generator<Buffer> {
    const { mark } = this
    const room = (mark?.byte ?? Number.POSITIVE_INFINITY) - this.bytes
    this.bytes += Math.min(room, chunk.length)
    yield chunk.subarray(0, Math.min(room, chunk.length))
    if (mark === undefined || room > chunk.length) return
    this.mark = undefined
    mark.onReached()
    yield* this.pass(chunk.subarray(room))
  }
}

export async function startCuttableLink(gateway: string): Promise<CuttableLink> {
  const { hostname, port } = new URL(gateway)
  const meter = new Meter()
  let onPassed: Parameters<CuttableLink['watch']>[0] = () => undefined
  const proxy = await startTcpProxy((inside, keep) => {
    const outside = keep(connect(Number(port), hostname))
    outside.on('data', () => onPassed('to device')).pipe(inside)
    inside.on('data', (chunk: Buffer) => {
      onPassed('from device')
      for (const part of meter.pass(chunk)) if (!outside.destroyed) outside.write(part)
    })
    inside.on('end', () => outside.end()).resume()
  })
  return {
    ...proxy,
    cut: () => proxy.sockets.forEach((socket) => socket.destroy()),
    sentBytes: () => meter.bytes,
    afterBytes: (count, onReached) => (meter.mark = { byte: meter.bytes + count, onReached }),
    watch: (callback) => (onPassed = callback),
    forget: () => (meter.mark = undefined),
  }
}
