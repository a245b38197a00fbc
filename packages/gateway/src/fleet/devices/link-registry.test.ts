import { encodeFrame, parseGatewayFrames } from '@hearth/protocol'
import { openBudgets } from '../../budget/memory-budgets.ts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { DeviceHub } from './device-hub.ts'
import { recordedGateways } from '../testing/recorded-gateways.ts'

const hello = encodeFrame({ type: 'hello', protocols: [1], app: '1', boot: 'b', engine: 'e', models: [] })

function open() {
  vi.useFakeTimers()
  const options = {
    pingIntervals: { busyMs: 5_000, idleMs: 15_000 },
    budgets: openBudgets({ totalBytes: undefined, heapLimitBytes: 2 ** 32, maxBodyBytes: 1 }),
  }
  const registry = new DeviceHub({ ...options, gateways: recordedGateways() }).registry
  onTestFinished(() => {
    registry.close()
    vi.useRealTimers()
  })
  let epoch = 0
  const dial = (id: string) => {
    const closes: number[] = []
    const socket = { bufferedBytes: 0, send: () => {}, close: (code: number) => closes.push(code) }
    return { link: registry.accept({ id, organization: 'o', name: id }, ++epoch, socket), closes }
  }
  return { registry, dial }
}

describe('links that have not said hello', () => {
  it('are at most two per device: a third closes the oldest with code 4409', () => {
    const { dial } = open()
    const links = [dial('a'), dial('b'), dial('a'), dial('a'), dial('a')]
    expect(links.map(({ closes }) => closes)).toEqual([[4409], [], [4409], [], []])
  })

  it('do not count once they have said hello or have ended', () => {
    const { dial } = open()
    const links = [dial('a'), dial('a')]
    links[0]!.link.receive(hello, 0)
    links.push(dial('a'))
    links[1]!.link.ended()
    links.push(dial('a'))
    expect(links.map(({ closes }) => closes)).toEqual([[], [], [], []])
  })

  it('are closed with code 4408 after ten seconds', () => {
    const { dial } = open()
    const { closes } = dial('a')
    const { link, closes: closesOfGreeted } = dial('b')
    link.receive(hello, performance.now())
    vi.advanceTimersByTime(9_000)
    expect(closes).toEqual([])
    vi.advanceTimersByTime(3_000)
    expect([closes, closesOfGreeted]).toEqual([[4408], []])
  })

  it('are closed with code 4401 when the device is removed', () => {
    const { registry, dial } = open()
    const [one, two, other] = [dial('a'), dial('a'), dial('b')]
    registry.disconnect('a')
    expect([one.closes, two.closes, other.closes]).toEqual([[4401], [4401], []])
  })
})

describe('links that say something else', () => {
  it('are closed with code 4400, and no others', () => {
    const { registry, dial } = open()
    const [bad, good] = [dial('bad'), dial('good')]
    for (const { link } of [bad, good]) link.receive(hello, 0)
    bad.link.receive('{"type":"job-delta"}', 0)
    bad.link.receive('nonsense', 0)
    expect([bad.closes, good.closes]).toEqual([[4400], []])
    expect(registry.links.size).toBe(1)
  })
})

describe('a registry that is about to restart', () => {
  it('asks devices to come back spread over a millisecond each, and a second at least', () => {
    for (const [devices, last] of [
      [4, 750],
      [5_000, 4_999],
    ] as const) {
      const { registry } = open()
      const delays: number[] = []
      const send = (text: string) =>
        parseGatewayFrames(text, (frame) => void (frame.type === 'restarting' && delays.push(frame.reconnectInMs)))
      for (let index = 0; index < devices; index++) {
        const socket = { bufferedBytes: 0, send, close: () => {} }
        registry.accept({ id: `${index}`, organization: 'o', name: 'd' }, index, socket).receive(hello, 0)
      }
      registry.announceRestart()
      expect([delays.length, delays[0], delays.at(-1)]).toEqual([devices, 0, last])
    }
  })
})
