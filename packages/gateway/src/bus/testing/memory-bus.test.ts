import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../fleet/simulator/virtual-clock.ts'
import type { Bus } from '../bus.ts'
import { describeBus } from '../bus.contract.ts'
import { MemoryBus } from './memory-bus.ts'

describeBus('in process', async () => {
  const memory = new MemoryBus({ onFault: () => {} })
  const names = new Map<Bus, string>()
  return {
    async connect() {
      const name = `test-${names.size}`
      const bus = memory.connect(name)
      names.set(bus, name)
      return bus
    },
    kill: async () => memory.kill(),
    revive: async () => memory.revive(),
    stall: (bus) => memory.stall(names.get(bus) ?? ''),
    resume: (bus) => memory.resume(names.get(bus) ?? ''),
    close: async () => {},
  }
})

describe('faults of the bus in process', () => {
  function openWorld() {
    const time = new VirtualClock()
    const clock = time.asClock()
    const memory = new MemoryBus({ clock })
    const [a, b] = [memory.connect('a'), memory.connect('b')]
    const received: string[] = []
    b.subscribe('to.b', ([number]) => received.push(`${number} at ${time.now}`))
    const send = (number: number) => a.publish('to.b', Uint8Array.of(number))
    const run = () => {
      while (Number.isFinite(time.next)) time.advance()
      return received.splice(0)
    }
    return { memory, a, b, send, run }
  }

  it('delays on the given clock, without changing the order', () => {
    const { memory, send, run } = openWorld()
    const delays = [30, 10, 50]
    memory.decide = () => ({ delayMs: delays.shift()! })
    for (const number of [1, 2, 3]) send(number)
    expect(run()).toEqual(['1 at 30', '2 at 30', '3 at 50'])
  })

  it('loses and doubles messages', () => {
    const { memory, send, run } = openWorld()
    const fates = [{ isLost: true }, { isDoubled: true }, {}]
    memory.decide = () => fates.shift()!
    for (const number of [1, 2, 3]) send(number)
    expect(run()).toEqual(['2 at 0', '2 at 0', '3 at 0'])
  })

  it('loses messages between the sides of a partition until it heals', () => {
    const { memory, send, run } = openWorld()
    memory.partition(['a'], ['b'])
    send(1)
    expect(run()).toEqual([])
    memory.heal()
    send(2)
    expect(run()).toEqual(['2 at 0'])
  })

  it('loses what is on its way when one connection is killed', () => {
    const { memory, b, send, run } = openWorld()
    send(1)
    memory.kill('b')
    send(2)
    expect([run(), b.isConnected]).toEqual([[], false])
    memory.revive('b')
    send(3)
    expect(run()).toEqual(['3 at 0'])
  })
})
