import { describe, expect, it } from 'vitest'
import type { JobRecord } from '../../fleet/fleet.ts'
import { aRecord } from '../../testing/job-record.ts'
import { Speeds } from './speeds.ts'

function record(more: Partial<JobRecord>): JobRecord {
  return aRecord({ tokens: { prompt: 1, completion: 100 }, firstEventMs: 500, totalMs: 2_500, ...more })
}

describe('speeds', () => {
  it('are those of recent answers, without the time to first token', () => {
    const speeds = new Speeds()
    expect(speeds.of('d', 'm')).toBeNull()
    speeds.note(record({}))
    expect(speeds.of('d', 'm')).toBe(50)
    speeds.note(record({ totalMs: 1_500 }))
    expect(speeds.of('d', 'm')).toBe(65)
    expect(speeds.of('d', 'other')).toBeNull()
  })

  it('keep the last 40 answers of each model of a device, oldest first', () => {
    let now = 1_000
    const speeds = new Speeds(() => now++)
    for (let answer = 0; answer < 45; answer++) speeds.note(record({ totalMs: 2_500 + answer * 100 }))
    speeds.note(record({ device: 'other' }))
    const [history, ...others] = speeds.history('d')
    expect(others).toEqual([])
    expect(history?.model).toBe('m')
    expect(history?.measured).toHaveLength(40)
    expect(history?.measured[0]).toEqual({ at: 1_005, tokensPerSecond: 40 })
    expect(speeds.history('unknown')).toEqual([])
  })

  it('ignore answers that say nothing about speed', () => {
    const speeds = new Speeds()
    speeds.note(record({ outcome: { kind: 'cancelled' } }))
    speeds.note(record({ tokens: { prompt: 0, completion: 0 } }))
    speeds.note(record({ tokens: { prompt: 1, completion: 2 } }))
    speeds.note(record({ firstEventMs: undefined }))
    speeds.note(record({ totalMs: 500 }))
    expect(speeds.of('d', 'm')).toBeNull()
  })
})
