import { describe, expect, it } from 'vitest'
import { ApiError } from '@hearth/chat'
import { RelayLimiter } from './relay-limiter.ts'

function statusOf(act: () => void): number {
  try {
    act()
    return 200
  } catch (error) {
    return error instanceof ApiError ? error.status : 500
  }
}

describe('the limit of copies', () => {
  it('lets a device copy at the full rate of all copies, and no device search in a flood', () => {
    let now = 0
    const limiter = new RelayLimiter(() => now)
    const inOneMinute = Array.from({ length: 600 }, () => {
      now += 100
      return statusOf(() => limiter.pieces.count('a'))
    })
    expect(inOneMinute.every((status) => status === 200)).toBe(true)
    const atOnce = Array.from({ length: 1_000 }, () => statusOf(() => limiter.pieces.count('b')))
    expect(atOnce.filter((status) => status === 429)).toHaveLength(880)
    expect(statusOf(() => limiter.pieces.count('a'))).toBe(200)
  })

  it('is lower for finding a model than for its pieces, and says when to try again', () => {
    const limiter = new RelayLimiter(() => 0)
    const finds = Array.from({ length: 61 }, () => statusOf(() => limiter.models.count('a')))
    expect(finds.filter((status) => status === 200)).toHaveLength(60)
    expect(() => limiter.models.count('a')).toThrow('Try again in 1 s')
    expect(statusOf(() => limiter.pieces.count('a'))).toBe(200)
  })
})
