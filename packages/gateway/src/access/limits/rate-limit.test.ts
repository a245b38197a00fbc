import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RateLimiter, formatDuration } from './rate-limit.ts'

describe('requests per minute', () => {
  it('[M30a] accepts a whole minute of requests at once, then one at a time', () => {
    const limiter = new RateLimiter()
    const limits = { requestsPerMinute: 3 }
    for (let count = 0; count < 3; count++) expect(limiter.request('k', limits, 0)).toBeUndefined()
    expect(limiter.request('k', limits, 0)).toEqual({ limit: 'requestsPerMinute', retryMs: 20_000 })
    expect(limiter.request('k', limits, 20_000)).toBeUndefined()
    expect(limiter.request('k', limits, 20_000)).toMatchObject({ retryMs: 20_000 })
  })

  it('counts a changed limit from the next request on', () => {
    const limiter = new RateLimiter()
    expect(limiter.request('k', { requestsPerMinute: 1 }, 0)).toBeUndefined()
    expect(limiter.request('k', { requestsPerMinute: 1 }, 0)).toBeDefined()
    expect(limiter.request('k', { requestsPerMinute: 2 }, 0)).toBeUndefined()
    expect(limiter.request('k', { requestsPerMinute: 2 }, 0)).toBeUndefined()
    expect(limiter.request('k', { requestsPerMinute: 2 }, 0)).toBeDefined()
  })

  it('does not count jobs that started before the key had limits', () => {
    const limiter = new RateLimiter()
    expect(limiter.request('k', { jobsAtOnce: 1 }, 0)).toBeUndefined()
    limiter.endJob('k', 1, 1, 0)
    expect(limiter.startJob('k', { jobsAtOnce: 1 }, 1, 0)).toBeUndefined()
    expect(limiter.startJob('k', { jobsAtOnce: 1 }, 1, 0)).toMatchObject({ limit: 'jobsAtOnce' })
  })

  it('[M30a] counts each key separately', () => {
    const limiter = new RateLimiter()
    const limits = { requestsPerMinute: 1 }
    expect(limiter.request('a', limits, 0)).toBeUndefined()
    expect(limiter.request('b', limits, 0)).toBeUndefined()
    expect(limiter.request('a', limits, 0)).toBeDefined()
  })

  it('[M30a] never accepts more than one full minute plus the refill', () => {
    const steps = fc.array(fc.record({ wait: fc.nat(5_000), tries: fc.nat(20) }), { maxLength: 100 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), steps, (requestsPerMinute, moments) => {
        const limiter = new RateLimiter()
        let now = 0
        let accepted = 0
        for (const { wait, tries } of moments) {
          now += wait
          for (let count = 0; count < tries; count++) if (!limiter.request('k', { requestsPerMinute }, now)) accepted++
        }
        expect(accepted).toBeLessThanOrEqual(requestsPerMinute + (now * requestsPerMinute) / 60_000 + 1e-6)
      }),
    )
  })

  it('[M30a] accepts the request after exactly the time it was asked to wait', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.nat(1_000), (requestsPerMinute, start) => {
        const limiter = new RateLimiter()
        let rejection
        while (!rejection) rejection = limiter.request('k', { requestsPerMinute }, start)
        expect(limiter.request('k', { requestsPerMinute }, start + rejection.retryMs)).toBeUndefined()
      }),
      { numRuns: 30 },
    )
  })
})

describe('tokens per minute', () => {
  const limits = { tokensPerMinute: 600 }

  it('charges the expected tokens first, then the tokens actually used', () => {
    const limiter = new RateLimiter()
    expect(limiter.startJob('k', limits, 500, 0)).toBeUndefined()
    expect(limiter.startJob('k', limits, 200, 0)).toEqual({ limit: 'tokensPerMinute', retryMs: 10_000 })
    limiter.endJob('k', 500, 100, 0)
    expect(limiter.startJob('k', limits, 200, 0)).toBeUndefined()
    limiter.endJob('k', 200, 900, 0)
    expect(limiter.startJob('k', limits, 1, 0)).toMatchObject({ limit: 'tokensPerMinute' })
  })

  it('accepts a job larger than the limit if nothing else was used', () => {
    const limiter = new RateLimiter()
    expect(limiter.startJob('k', limits, 5_000, 0)).toBeUndefined()
    expect(limiter.startJob('k', limits, 1, 60_000)).toBeDefined()
  })
})

it('jobs at once counts jobs until they end', () => {
  const limiter = new RateLimiter()
  const limits = { jobsAtOnce: 2 }
  expect([1, 2, 3].map(() => limiter.startJob('k', limits, 1, 0)?.limit)).toEqual([undefined, undefined, 'jobsAtOnce'])
  limiter.endJob('k', 1, 1, 0)
  expect(limiter.startJob('k', limits, 1, 0)).toBeUndefined()
})

describe('x-ratelimit headers', () => {
  it('[M33] cover the limits a key has and no others', () => {
    const limiter = new RateLimiter()
    const limits = { requestsPerMinute: 60, jobsAtOnce: 1 }
    limiter.request('k', limits, 0)
    expect(Object.fromEntries(limiter.headers('k', limits, 0))).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '59',
      'x-ratelimit-reset-requests': '1s',
    })
  })

  it.each([
    [0, '0ms'],
    [120, '120ms'],
    [1_000, '1s'],
    [8_450, '8.5s'],
    [60_000, '1m0s'],
    [359_500, '6m0s'],
  ])('[M33] format %i ms as %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text)
  })
})
