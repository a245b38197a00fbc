import { describe, expect, it } from 'vitest'
import { LoadLimit, type Episode } from './load-limit.ts'
import type { LoopTurns } from './loop-meter.ts'

const LONG: LoopTurns = { turnMs: 40, turnCpuMs: 30 }
const BEARABLE: LoopTurns = { turnMs: 20, turnCpuMs: 18 }
const SHORT: LoopTurns = { turnMs: 5, turnCpuMs: 4 }
/** Another program has the processor most of the time. */
const STARVED: LoopTurns = { turnMs: 400, turnCpuMs: 2 }

function open() {
  const episodes: [string, Episode][] = []
  let rejected = 0
  const limit = new LoadLimit({
    onRejected: () => rejected++,
    onShedding: (episode) => episodes.push(['shedding', { ...episode }]),
    onRecovered: (episode) => episodes.push(['recovered', { ...episode }]),
  })
  const enter = (count: number, organization = 'acme') =>
    Array.from({ length: count }, () => limit.enter(organization)).filter(Boolean).length
  const leave = (count: number, organization = 'acme') => {
    for (let left = 0; left < count; left++) limit.leave(organization)
  }
  const look = (turns: LoopTurns, times = 1) => {
    for (let look = 0; look < times; look++) limit.look(turns)
  }
  return { limit, episodes, enter, leave, look, rejected: () => rejected }
}

/** As many requests as the gateway can carry, and turns that have been too long for a while. */
function overload(requests = 1_000) {
  const world = open()
  world.enter(requests)
  world.look(LONG, 3)
  return world
}

describe('the limit on chat requests in progress', () => {
  it('is not there until turns of the event loop have been long for a while', () => {
    const { limit, enter, look } = open()
    enter(1_000)
    look(LONG, 2)
    look(SHORT)
    look(LONG, 2)
    expect(limit.isShedding).toBe(false)
    expect(enter(5_000)).toBe(5_000)
  })

  it('is the number of requests at which they were', () => {
    const { enter, leave } = overload(1_000)
    expect(enter(100)).toBe(0)
    leave(10)
    expect(enter(100)).toBe(10)
  })

  it('follows that number down while turns stay long', () => {
    const { enter, leave, look } = overload(1_000)
    leave(300)
    look(LONG)
    expect(enter(100)).toBe(0)
    look(BEARABLE, 20)
    expect(enter(100)).toBe(0)
  })

  it('falls below that number, so that requests that end make no room', () => {
    const { enter, leave, look } = overload(1_000)
    look(LONG, 5)
    leave(40)
    expect(enter(100)).toBe(0)
    leave(20)
    expect(enter(100)).toBeGreaterThan(0)
  })

  it('never falls far below it, however long requests take to end', () => {
    const { enter, leave, look } = overload(1_000)
    look(LONG, 500)
    leave(200)
    expect(enter(500)).toBe(100)
  })

  it('grows slowly when turns have been short for a while, so that a crowd does not get in all at once', () => {
    const { enter, leave, look } = overload(1_000)
    leave(500)
    look(LONG)
    look(SHORT, 5)
    expect(enter(5_000)).toBe(0)
    look(SHORT)
    expect(enter(5_000)).toBe(5)
    look(SHORT)
    expect(enter(5_000)).toBe(10)
  })

  it('does not grow because of single short turns between long ones', () => {
    const { enter, look } = overload(1_000)
    for (let time = 0; time < 100; time++) {
      look(SHORT, 5)
      look(LONG)
    }
    expect(enter(100)).toBe(0)
  })

  it('does not come from other programs that use the processor', () => {
    const { limit, enter, look } = open()
    enter(1_000)
    look(STARVED, 100)
    expect(limit.isShedding).toBe(false)
  })

  it('never keeps out the first hundred requests', () => {
    const { limit, enter, leave, look } = open()
    enter(100)
    look(LONG, 100)
    expect(limit.isShedding).toBe(false)
    enter(50)
    look(LONG, 3)
    leave(150)
    look(LONG, 3)
    expect(enter(200)).toBe(100)
  })

  it('leaves room for an organization that has less than its share', () => {
    const { enter } = overload(1_000)
    expect(enter(200, 'small')).toBe(200)
    expect(enter(200, 'smaller')).toBe(50)
    expect(enter(1)).toBe(0)
  })

  it('goes away when nobody has been rejected for five seconds', () => {
    const { limit, episodes, enter, leave, look } = overload(1_000)
    leave(900)
    look(SHORT, 49)
    expect(limit.isShedding).toBe(true)
    look(SHORT)
    expect(limit.isShedding).toBe(false)
    expect(enter(5_000)).toBe(5_000)
    expect(episodes).toEqual([
      ['shedding', { requests: 1_000, rejected: 0 }],
      ['recovered', { requests: 1_000, rejected: 0 }],
    ])
  })

  it('stays while requests are rejected, and is reported once', () => {
    const { limit, episodes, enter, look, rejected } = overload(1_000)
    for (let second = 0; second < 60; second++) {
      expect(enter(1)).toBe(0)
      look(BEARABLE, 10)
    }
    expect(limit.isShedding).toBe(true)
    look(BEARABLE, 50)
    expect(episodes).toEqual([
      ['shedding', { requests: 1_000, rejected: 0 }],
      ['recovered', { requests: 1_000, rejected: 60 }],
    ])
    expect(rejected()).toBe(60)
  })
})
