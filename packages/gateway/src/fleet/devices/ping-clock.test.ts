import { describe, expect, it } from 'vitest'
import { PingClock } from './ping-clock.ts'

describe('the latency of a link', () => {
  it('is the time from a ping to its pong, smoothed', () => {
    expect(latencyAfter()).toBeUndefined()
    expect(latencyAfter(['ping', 1_000], ['pong', 1_020])).toBe(20)
    expect(latencyAfter(['ping', 1_000], ['pong', 1_020], ['ping', 2_000], ['pong', 2_120])).toBe(50)
  })

  it('counts from the first ping without a pong', () => {
    expect(latencyAfter(['ping', 1_000], ['ping', 6_000], ['pong', 6_010])).toBe(5_010)
  })

  it('ignores a pong that nobody asked for', () => {
    expect(latencyAfter(['pong', 1_000])).toBeUndefined()
  })
})

function latencyAfter(...events: readonly (readonly ['ping' | 'pong', at: number])[]): number | undefined {
  const clock = new PingClock()
  for (const [event, at] of events) clock[event](at)
  return clock.latencyMs
}
