import { describe, expect, it } from 'vitest'
import { PingClock } from './ping-clock.ts'

describe('the latency of a link', () => {
  it('is the time from a ping to its pong, smoothed', () => {
    const clock = new PingClock()
    expect(clock.latencyMs).toBeUndefined()
    clock.ping(1_000)
    clock.pong(1_020)
    expect(clock.latencyMs).toBe(20)
    clock.ping(2_000)
    clock.pong(2_120)
    expect(clock.latencyMs).toBe(50)
  })

  it('counts from the first ping without a pong', () => {
    const clock = new PingClock()
    clock.ping(1_000)
    clock.ping(6_000)
    clock.pong(6_010)
    expect(clock.latencyMs).toBe(5_010)
  })

  it('ignores a pong that nobody asked for', () => {
    const clock = new PingClock()
    clock.pong(1_000)
    expect(clock.latencyMs).toBeUndefined()
  })
})
