import { describe, expect, it } from 'vitest'
import { JoinLimiter } from './join-limiter.ts'

function firstError(count: () => void, times: number): { after: number; code: string } | undefined {
  for (let after = 0; after < times; after++)
    try {
      count()
    } catch (error) {
      expect(error).toMatchObject({ headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) } })
      return { after, code: (error as { code: string }).code }
    }
  return undefined
}

describe('calls of devices that want to join', () => {
  it('are limited by network, without an effect on others', () => {
    const limiter = new JoinLimiter(() => 0)
    const from = (address: string) => firstError(() => limiter.count(address), 1_000)
    // The limit for all together must not be the one that is met.
    let now = 0
    const slow = new JoinLimiter(() => (now += 11))
    expect(firstError(() => slow.count('192.0.2.1'), 1_000)).toMatchObject({ code: 'rate_limit_exceeded' })
    expect(firstError(() => slow.count('198.51.100.1'), 100)).toBeUndefined()
    expect(from('192.0.2.1')).toEqual({ after: 300, code: 'rate_limit_exceeded' })
  })

  it('are limited for all networks together', () => {
    const limiter = new JoinLimiter(() => 0)
    let network = 0
    const everyone = () => limiter.count(`10.0.${network++ % 200}.1`)
    expect(firstError(everyone, 1_000)).toEqual({ after: 300, code: 'service_unavailable' })
  })
})
