import { describe, expect, it } from 'vitest'
import { PUTS_PER_MINUTE, READ_BYTES, READS_PER_MINUTE, SealLimiter } from './seal-limiter.ts'

const tooOften = expect.objectContaining({ code: 'rate_limit_exceeded' })

describe('the limit of calls about seals', () => {
  it('lets an organization put a few lists a minute, and others theirs', () => {
    const limiter = new SealLimiter()
    for (let put = 0; put < PUTS_PER_MINUTE; put++) limiter.countPut('acme')
    expect(() => limiter.countPut('acme')).toThrow(tooOften)
    limiter.countPut('other')
  })

  it('lets a key ask some hundred times a minute', () => {
    const limiter = new SealLimiter()
    for (let read = 0; read < READS_PER_MINUTE; read++) limiter.countRead('k')
    expect(() => limiter.countRead('k')).toThrow(tooOften)
  })

  it('lets an organization be sent some bytes a minute, and others theirs', () => {
    const limiter = new SealLimiter()
    for (let read = 0; read < 4; read++) limiter.countBytes('acme', READ_BYTES.burst / 4)
    expect(() => limiter.countBytes('acme', READ_BYTES.burst)).toThrow(tooOften)
    limiter.countBytes('other', 1024 * 1024)
  })
})
