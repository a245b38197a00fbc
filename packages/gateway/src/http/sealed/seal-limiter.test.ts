import { describe, expect, it } from 'vitest'
import { PUTS_PER_MINUTE, READ_BYTES, READS_PER_MINUTE, SealLimiter } from './seal-limiter.ts'

const tooOften = expect.objectContaining({ code: 'rate_limit_exceeded' })

describe('the limit of calls about seals', () => {
  it('lets an organization put a few lists a minute, and others theirs', () => {
    const limiter = new SealLimiter()
    for (let put = 0; put < PUTS_PER_MINUTE; put++) limiter.puts.count('acme')
    expect(() => limiter.puts.count('acme')).toThrow(tooOften)
    limiter.puts.count('other')
  })

  it('lets a key ask some hundred times a minute', () => {
    const limiter = new SealLimiter()
    for (let read = 0; read < READS_PER_MINUTE; read++) limiter.reads.count('k')
    expect(() => limiter.reads.count('k')).toThrow(tooOften)
  })

  it('lets an organization be sent some bytes a minute, and others theirs', () => {
    const limiter = new SealLimiter()
    for (let read = 0; read < 4; read++) limiter.bytes.count('acme', READ_BYTES.burst / 4)
    expect(() => limiter.bytes.count('acme', READ_BYTES.burst)).toThrow(tooOften)
    limiter.bytes.count('other', 1024 * 1024)
  })
})
