import { describe, expect, it } from 'vitest'
import { OpenStreams } from './open-streams.ts'

describe('event streams', () => {
  it('are limited per person, and make room when they end', () => {
    const streams = new OpenStreams()
    const leave = Array.from({ length: 32 }, () => streams.enter('ann'))
    expect(() => streams.enter('ann')).toThrow(expect.objectContaining({ status: 429 }))
    streams.enter('bob')()
    for (const end of leave) end()
    expect(streams.enter('ann')).toBeTypeOf('function')
  })
})
