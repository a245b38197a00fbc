import { describe, expect, it } from 'vitest'
import { countAllowed } from '../../testing/count-allowed.ts'
import { RelayLimiter } from './relay-limiter.ts'

const tooOften = expect.objectContaining({ status: 429 })

describe('the limit of copies', () => {
  it('lets a device copy at the full rate of all copies, and no device search in a flood', () => {
    let now = 0
    const limiter = new RelayLimiter(() => now)
    for (let piece = 0; piece < 600; piece++) {
      now += 100
      limiter.pieces.count('a')
    }
    expect(countAllowed(() => limiter.pieces.count('b'))).toBe(120)
    expect(() => limiter.pieces.count('b')).toThrow(tooOften)
    limiter.pieces.count('a')
  })

  it('is lower for finding a model than for its pieces, and says when to try again', () => {
    const limiter = new RelayLimiter(() => 0)
    expect(countAllowed(() => limiter.models.count('a'))).toBe(60)
    expect(() => limiter.models.count('a')).toThrow('Try again in 1 s')
    limiter.pieces.count('a')
  })
})
