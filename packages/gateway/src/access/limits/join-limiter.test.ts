import { describe, expect, it } from 'vitest'
import { countAllowed } from '../../testing/count-allowed.ts'
import { JoinLimiter } from './join-limiter.ts'

const headers = { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) }

describe('calls of devices that want to join', () => {
  it('are limited by network, without an effect on others', () => {
    let now = 0
    const limiter = new JoinLimiter(() => now)
    // Slowly, so that the limit for all together is not the one that is met.
    const count = (address: string) => {
      now += 11
      limiter.count(address)
    }
    expect(countAllowed(() => count('192.0.2.1'))).toBeLessThan(400)
    expect(() => count('192.0.2.1')).toThrow(expect.objectContaining({ code: 'rate_limit_exceeded', headers }))
    for (let other = 0; other < 100; other++) count('198.51.100.1')
  })

  it('are limited for all networks together', () => {
    const limiter = new JoinLimiter(() => 0)
    let network = 0
    const anyone = () => limiter.count(`10.0.${network++ % 200}.1`)
    expect(countAllowed(anyone)).toBe(300)
    expect(anyone).toThrow(expect.objectContaining({ code: 'service_unavailable', headers }))
  })
})
