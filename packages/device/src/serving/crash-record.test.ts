import type { ChatJob } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import type { EndCause } from '../engines/engine.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { CrashRecord } from './crash-record.ts'

const GIB = 2 ** 30
const HOUR_MS = 3_600_000
const asking = (content: string): ChatJob => ({ model: 'm', messages: [{ role: 'user', content }] })
const POISON = asking('poison')

function open() {
  const clock = createManualClock()
  const memory = { available: 4 * GIB }
  const record = new CrashRecord(clock, () => memory.available)
  const die = (cause: EndCause, times = 3, job = POISON) => {
    for (let time = 0; time < times; time++) record.note({ cause, why: 'SIGSEGV', jobs: [job] })
  }
  return { clock, memory, record, die }
}

describe('the record of crashes', () => {
  it('blocks a request after three crashes, and only that one', () => {
    const { record, die } = open()
    die('crash', 2)
    expect(record.isBlocked(POISON)).toBe(false)
    die('crash', 1)
    expect(record.isBlocked(POISON)).toBe(true)
    expect(record.isBlocked(asking('innocent'))).toBe(false)
    expect(record.blocked).toEqual({ requests: 1, why: 'SIGSEGV', untilMs: HOUR_MS })
  })

  it('forgets a crash after an hour', async () => {
    const { clock, record, die } = open()
    die('crash')
    await clock.advance(HOUR_MS - 1)
    expect(record.isBlocked(POISON)).toBe(true)
    await clock.advance(1)
    expect(record.isBlocked(POISON)).toBe(false)
    expect(record.blocked).toBeUndefined()
  })

  it('never counts an engine that somebody else ended', () => {
    const { record, die } = open()
    die('killed', 10)
    expect(record.isBlocked(POISON)).toBe(false)
  })

  it('accepts a request that lacked memory as soon as memory is free again', () => {
    const { memory, record, die } = open()
    die('memory')
    memory.available = 1 * GIB
    expect(record.isBlocked(POISON)).toBe(true)
    memory.available = 8 * GIB
    expect(record.isBlocked(POISON)).toBe(false)
  })

  it('accepts a request that lacked memory after five minutes, because the memory of a GPU is not known here', async () => {
    const { clock, record, die } = open()
    die('memory')
    await clock.advance(5 * 60_000)
    expect(record.isBlocked(POISON)).toBe(false)
  })

  it('takes a request that is continued for the same one', () => {
    const { record, die } = open()
    const begun = { tokens: [1, 2], length: 2, checksum: 3, hasCalls: false }
    die('crash', 2)
    die('crash', 1, { ...POISON, recovery: { choices: [begun] } })
    expect(record.isBlocked({ ...POISON, recovery: {} })).toBe(true)
  })

  it('counts a request once per crash, however often it ran', () => {
    const { record } = open()
    record.note({ cause: 'crash', why: 'SIGSEGV', jobs: [POISON, POISON, POISON] })
    expect(record.isBlocked(POISON)).toBe(false)
  })

  it('keeps at most a hundred requests', () => {
    const { record, die } = open()
    die('crash')
    for (let other = 0; other < 99; other++) die('crash', 3, asking(`other ${other}`))
    expect(record.blocked?.requests).toBe(100)
    die('crash', 3, asking('one more'))
    expect(record.blocked?.requests).toBe(100)
    expect(record.isBlocked(POISON)).toBe(false)
  })
})
