import { beforeEach, describe, expect, it } from 'vitest'
import { MemoryBus } from '../../bus/testing/memory-bus.ts'
import { VirtualClock } from '../../fleet/simulator/virtual-clock.ts'
import { RateLimiter } from './rate-limit.ts'
import { shareLimits } from './shared-limits.ts'

describe('limits of a key over several gateways', () => {
  let time: VirtualClock
  let bus: MemoryBus
  let limiters: RateLimiter[]
  let stop: (() => void)[]
  beforeEach(() => {
    time = new VirtualClock()
    const clock = time.asClock()
    bus = new MemoryBus({ clock })
    limiters = [new RateLimiter(), new RateLimiter(), new RateLimiter()]
    stop = limiters.map((limiter, index) =>
      shareLimits({ limiter, bus: bus.connect(`gateway-${index}`), self: `gateway-${index}`, clock }),
    )
  })

  it('requests per minute count over all of them', () => {
    const limits = { requestsPerMinute: 6 }
    for (let count = 0; count < 6; count++) {
      expect(limiters[count % 3]!.request('k', limits, time.now)).toBeUndefined()
      pass(20)
    }
    for (const limiter of limiters)
      expect(limiter.request('k', limits, time.now)).toMatchObject({ limit: 'requestsPerMinute' })
  })

  it('tokens per minute count over all of them, as they were used', () => {
    const limits = { tokensPerMinute: 1_000 }
    expect(limiters[0]!.startJob('k', limits, 900, time.now)).toBeUndefined()
    pass(20)
    expect(limiters[1]!.startJob('k', limits, 200, time.now)).toMatchObject({ limit: 'tokensPerMinute' })
    limiters[0]!.endJob('k', 900, 100, time.now)
    pass(20)
    expect(limiters[1]!.startJob('k', limits, 850, time.now)).toBeUndefined()
  })

  it('jobs at once count over all of them', () => {
    const limits = { jobsAtOnce: 2 }
    expect(limiters[0]!.startJob('k', limits, 1, time.now)).toBeUndefined()
    expect(limiters[1]!.startJob('k', limits, 1, time.now)).toBeUndefined()
    pass(10_000)
    expect(limiters[2]!.startJob('k', limits, 1, time.now)).toMatchObject({ limit: 'jobsAtOnce' })
    limiters[0]!.endJob('k', 1, 1, time.now)
    pass(20)
    expect(limiters[2]!.startJob('k', limits, 1, time.now)).toBeUndefined()
  })

  it('jobs of a gateway that died no longer count after three seconds', () => {
    const limits = { jobsAtOnce: 1 }
    expect(limiters[0]!.startJob('k', limits, 1, time.now)).toBeUndefined()
    pass(20)
    expect(limiters[1]!.startJob('k', limits, 1, time.now)).toBeDefined()
    stop[0]!()
    pass(3_000)
    expect(limiters[1]!.startJob('k', limits, 1, time.now)).toBeUndefined()
  })

  it('without the bus, each gateway enforces them for itself', () => {
    const limits = { requestsPerMinute: 1 }
    bus.kill()
    for (const limiter of limiters) {
      expect(limiter.request('k', limits, time.now)).toBeUndefined()
      expect(limiter.request('k', limits, time.now)).toBeDefined()
    }
  })

  function pass(ms: number): void {
    const end = time.now + ms
    while (time.next <= end) time.advance()
    time.now = end
  }
})
