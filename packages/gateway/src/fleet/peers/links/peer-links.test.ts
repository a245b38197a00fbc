import { describe, expect, it } from 'vitest'
import { MemoryBus } from '../../../bus/testing/memory-bus.ts'
import { connectNats } from '../../../bus/nats-bus.ts'
import type { Bus } from '../../../bus/bus.ts'
import type { Clock } from '../../../time/clock.ts'
import { Random } from '../../simulator/random.ts'
import { VirtualClock } from '../../simulator/virtual-clock.ts'
import { hasNats, startNats } from '../../../testing/start-nats.ts'
import type { Urgency } from './departure.ts'
import { openPeerLinks, type PeerLinks } from './peer-links.ts'

interface End {
  links: PeerLinks<number | string>
  /** The events at this end, in order. */
  said: string[]
}

function openEnd(bus: Bus, self: string, clock?: Clock, version = '1'): End {
  const said: string[] = []
  const links = openPeerLinks<number | string>({
    bus,
    self,
    version,
    urgencyOf,
    onFault: (error) => said.push(`fault ${String(error)}`),
    ...(clock && { clock }),
  })
  links.listen({
    up: (peer) => said.push(`up ${peer}`),
    down: (peer, why) => said.push(`down ${peer}: ${why}`),
    message: (from, message) => said.push(`${from} ${typeof message === 'string' ? message.length : message}`),
    pressed: (peer, isPressed) => said.push(`${isPressed ? 'pressed' : 'eased'} ${peer}`),
  })
  links.expect(['a', 'b'])
  return { links, said }
}

const URGENCIES: readonly Urgency[] = ['now', 'paced', 'lazy']

/** A message that names its urgency has it; among many numbers, each has another one. */
function urgencyOf(message: number | string): Urgency {
  const index = typeof message === 'number' && message > 100 ? message % 3 : 0
  return URGENCIES.find((urgency) => urgency === message) ?? URGENCIES[index]!
}

/** Two gateways on a bus whose time the test moves. */
function openPair() {
  const time = new VirtualClock()
  /** How long the process of both got no time at all. */
  const stopped = { ms: 0 }
  const clock: Clock = { ...time.asClock(), now: () => time.now + stopped.ms }
  const memory = new MemoryBus({ clock })
  const a = openEnd(memory.connect('a'), 'a', clock)
  const b = openEnd(memory.connect('b'), 'b', clock)
  return { memory, clock, a, b, pass: (ms: number) => time.pass(ms), stopped }
}

function openUpPair() {
  const pair = openPair()
  pair.pass(100)
  expect([pair.a.said.splice(0), pair.b.said.splice(0)]).toEqual([['up b'], ['up a']])
  return pair
}

/** What the one said last got lost. */
function loseOne() {
  const pair = openUpPair()
  pair.memory.decide = () => ({ isLost: true })
  pair.a.links.send('b', 1)
  pair.pass(1)
  pair.memory.decide = () => ({})
  return pair
}

describe('a peer link between two gateways', () => {
  it('is up on both sides soon after both are there', () => {
    const { a, b } = openUpPair()
    expect([a.links.isUp('b'), b.links.isUp('a'), a.links.isUp('c')]).toEqual([true, true, false])
  })

  it('delivers messages in their order, those of one turn together', () => {
    const { a, b, pass, memory } = openUpPair()
    let packets = 0
    memory.decide = (from, _to, subject) => {
      if (from === 'a' && subject === 'hearth.to.b') packets += 1
      return {}
    }
    for (const number of [1, 2, 3]) a.links.send('b', number)
    expect(b.said).toEqual([])
    pass(10)
    expect([b.said, packets]).toEqual([['a 1', 'a 2', 'a 3'], 1])
  })

  it('sends what can wait a millisecond at once, and then together with what comes in that millisecond', () => {
    const { a, b, pass } = openUpPair()
    pass(10)
    a.links.send('b', 'paced')
    pass(0)
    expect(b.said.splice(0)).toEqual(['a 5'])
    for (let count = 0; count < 3; count++) {
      a.links.send('b', 'paced')
      pass(0.1)
    }
    expect(b.said).toEqual([])
    pass(1)
    expect(b.said).toEqual(['a 5', 'a 5', 'a 5'])
  })

  it('sends what can wait longer with the next message, in its order, or alone after some milliseconds', () => {
    const { a, b, pass } = openUpPair()
    a.links.send('b', 'lazy')
    pass(1)
    expect(b.said).toEqual([])
    a.links.send('b', 1)
    pass(0)
    expect(b.said.splice(0)).toEqual(['a 4', 'a 1'])
    a.links.send('b', 'lazy')
    pass(5)
    expect(b.said).toEqual(['a 4'])
  })

  it('delivers a message once, even if the bus doubles it', () => {
    const { a, b, pass, memory } = openUpPair()
    memory.decide = () => ({ isDoubled: true })
    for (const number of [1, 2, 3]) {
      a.links.send('b', number)
      pass(10)
    }
    expect(b.said).toEqual(['a 1', 'a 2', 'a 3'])
  })

  it('delivers messages that are larger than the bus allows', () => {
    const { a, b, pass } = openUpPair()
    a.links.send('b', 'x'.repeat(10_000_000))
    a.links.send('b', 'after')
    pass(1_000)
    expect(b.said).toEqual(['a 10000000', 'a 5'])
    expect(a.links.backlog('b')).toBe(0)
  })

  it('breaks on both sides when a message gets lost, and comes back', () => {
    const { a, b, pass } = loseOne()
    a.links.send('b', 2)
    pass(100)
    expect(b.said).toEqual(['down a: a message got lost', 'up a'])
    expect(a.said).toEqual(['down b: the other side lost it', 'up b'])
  })

  it('breaks when the last message gets lost', () => {
    const { b, pass } = loseOne()
    pass(1_000)
    expect(b.said).toEqual(['down a: a message got lost', 'up a'])
  })

  it('breaks after three seconds of silence, and comes back when the other side is heard again', () => {
    const { a, b, pass, memory } = openUpPair()
    memory.partition(['a'], ['b'])
    pass(2_500)
    expect([a.said, b.said]).toEqual([[], []])
    pass(2_000)
    expect([a.said, b.said]).toEqual([['down b: silent for 3 s'], ['down a: silent for 3 s']])
    memory.heal()
    pass(2_000)
    expect([a.said.at(-1), b.said.at(-1)]).toEqual(['up b', 'up a'])
  })

  it('does not count the time in which this gateway itself was stopped', () => {
    const { a, b, pass, stopped } = openUpPair()
    stopped.ms += 10_000
    pass(1_000)
    expect([a.said, b.said]).toEqual([[], []])
  })

  it('stays up while nothing is said', () => {
    const { a, b, pass } = openUpPair()
    pass(60_000)
    expect([a.said, b.said]).toEqual([[], []])
  })

  it('breaks at once when the bus is gone, and comes back with it', () => {
    const { a, b, pass, memory } = openUpPair()
    memory.kill()
    expect(a.said).toEqual(['down b: the message bus is gone'])
    a.links.send('b', 1)
    memory.revive()
    pass(1_500)
    expect([a.said.at(-1), b.said]).toEqual(['up b', ['down a: the message bus is gone', 'up a']])
  })

  it('breaks at once when the other side closes, and stays away', () => {
    const { a, b, pass } = openUpPair()
    b.links.close()
    pass(10)
    expect(a.said).toEqual(['down b: it left'])
    pass(60_000)
    expect(a.said).toEqual(['down b: it left'])
    expect(a.links.stats().links).toEqual({ up: 0, breaks: 1, backlogBytes: 0 })
  })

  it('drops messages while it is down', () => {
    const { a, b, pass } = openPair()
    a.links.send('b', 1)
    pass(100)
    a.links.send('b', 2)
    pass(10)
    expect(b.said).toEqual(['up a', 'a 2'])
  })

  it('says when much waits for the other side, and when it no longer does; the bus never holds much of it', () => {
    const { a, b, pass, memory } = openUpPair()
    memory.stall('b')
    let bytes = 0
    memory.decide = (_from, to) => {
      if (to === 'b') bytes += 1
      return {}
    }
    for (let count = 0; count < 20; count++) a.links.send('b', 'x'.repeat(1_000_000))
    pass(100)
    expect(a.said).toEqual(['pressed b'])
    expect(a.links.backlog('b')).toBeGreaterThan(20_000_000)
    expect(bytes).toBeLessThan(30)
    memory.resume('b')
    pass(1_000)
    expect(a.said).toEqual(['pressed b', 'eased b'])
    expect([b.said.length, a.links.backlog('b')]).toEqual([20, 0])
  })

  it('confirms small messages soon, also when nothing goes the other way', () => {
    const { a, pass } = openUpPair()
    a.links.send('b', 1)
    pass(10)
    expect(a.links.backlog('b')).toBeGreaterThan(0)
    pass(60)
    expect(a.links.backlog('b')).toBe(0)
  })

  it('is not opened to a gateway of another version', () => {
    const { a, pass, memory, clock } = openUpPair()
    const c = openEnd(memory.connect('c'), 'c', clock, '2')
    pass(10_000)
    expect([a.said, c.said]).toEqual([[], []])
  })

  it('goes on when its listener throws', () => {
    const { memory, clock, pass } = openPair()
    const errors: unknown[] = []
    const links = openPeerLinks<number>({
      bus: memory.connect('d'),
      self: 'd',
      version: '1',
      clock,
      onFault: (error) => errors.push(error),
    })
    links.listen({
      up: () => {
        throw new Error('from a listener')
      },
      down: () => {},
      message: () => {},
    })
    links.expect(['a', 'b'])
    pass(2_000)
    expect([errors.length, links.isUp('a'), links.isUp('b')]).toEqual([2, true, true])
  })
})

describe('links over a bus that delays, loses, doubles and partitions', () => {
  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    'deliver a prefix of what was sent in each session (seed %i)',
    (seed) => {
      const { memory, a, b, pass } = openPair()
      const random = new Random(seed)
      const logs = { a: a.said, b: b.said }
      let next = 0
      memory.decide = () => ({
        delayMs: random.chance(0.3) ? random.between(0, 400) : 0,
        isLost: random.chance(0.01),
        isDoubled: random.chance(0.02),
      })
      for (let step = 0; step < 2_000; step++) {
        const [from, to] = random.chance(0.5) ? (['a', 'b'] as const) : (['b', 'a'] as const)
        const { links } = from === 'a' ? a : b
        if (links.isUp(to)) logs[from].push(`sent ${++next}`)
        links.send(to, next)
        if (random.chance(0.002)) memory.partition(['a'], ['b'])
        if (random.chance(0.01)) memory.heal()
        if (random.chance(0.002)) memory.kill(from)
        if (random.chance(0.02)) for (const name of ['a', 'b']) memory.revive(name)
        if (random.chance(0.002)) memory.stall(from)
        if (random.chance(0.01)) for (const name of ['a', 'b']) memory.resume(name)
        pass(random.between(0, 40))
      }
      memory.heal()
      memory.decide = () => ({})
      for (const name of ['a', 'b']) memory.revive(name)
      for (const name of ['a', 'b']) memory.resume(name)
      pass(10_000)
      expect([a.links.isUp('b'), b.links.isUp('a')]).toEqual([true, true])
      checkSessions(logs.a, logs.b)
      checkSessions(logs.b, logs.a)
      const received = logs.a.filter((line) => line.startsWith('b ')).length
      expect([received > 100, a.links.stats().links.breaks > 3]).toEqual([true, true])
    },
  )

  /** Each session of the receiver got the beginning of what one session of the sender sent; later sessions got later ones. */
  function checkSessions(sender: readonly string[], receiver: readonly string[]): void {
    const sent = sessionsOf(sender, /^sent (\d+)$/)
    let earliest = 0
    for (const got of sessionsOf(receiver, /^[ab] (\d+)$/).filter(({ length }) => length > 0)) {
      const index = sent.findIndex(([first]) => first === got[0])
      expect(index).toBeGreaterThanOrEqual(earliest)
      expect(sent[index]?.slice(0, got.length)).toEqual(got)
      earliest = index + 1
    }
  }

  /** The numbers between each `up` and the `down` after it. `up` and `down` alternate. */
  function sessionsOf(said: readonly string[], pattern: RegExp): number[][] {
    const sessions: number[][] = []
    let isUp = false
    for (const line of said) {
      if (line.startsWith('up') || line.startsWith('down')) {
        expect(line.startsWith('up')).toBe(!isUp)
        isUp = !isUp
        if (isUp) sessions.push([])
      }
      const number = pattern.exec(line)?.[1]
      if (number !== undefined) {
        expect(isUp).toBe(true)
        sessions.at(-1)!.push(Number(number))
      }
    }
    return sessions
  }
})

describe.runIf(await hasNats('links over NATS'))('links over NATS', () => {
  it('carry messages both ways, and come back after the server was killed', async () => {
    const nats = await startNats()
    const buses = await Promise.all(['a', 'b'].map((name) => connectNats(nats.url, { name, onFault: () => {} })))
    const [a, b] = buses.map((bus, index) => openEnd(bus, index === 0 ? 'a' : 'b')) as [End, End]
    await expect.poll(() => a.links.isUp('b') && b.links.isUp('a')).toBe(true)
    a.links.send('b', 'x'.repeat(600_000))
    b.links.send('a', 1)
    await expect.poll(() => b.said).toEqual(['up a', 'a 600000'])
    await expect.poll(() => a.said).toEqual(['up b', 'b 1'])
    await nats.restart()
    await expect.poll(() => a.said.filter((line) => line === 'up b').length).toBe(2)
    await expect.poll(() => b.links.isUp('a')).toBe(true)
    a.links.send('b', 2)
    await expect.poll(() => b.said.at(-1)).toBe('a 2')
    for (const { links } of [a, b]) links.close()
    for (const bus of buses) await bus.close()
    await nats.stop()
  })
})
