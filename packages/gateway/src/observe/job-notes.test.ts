import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { JobRecord } from '../fleet/fleet.ts'
import { JobNotes } from './job-notes.ts'

function record(job: string): JobRecord {
  return { ticket: { job } } as JobRecord
}

describe('notes of jobs', () => {
  it('[O3] are taken once for each job, in order, after the turn in which it ended', async () => {
    const taken: string[] = []
    const notes = new JobNotes(({ ticket }) => taken.push(ticket.job))
    notes.add(record('a'))
    notes.add(record('b'))
    expect(taken).toEqual([])
    await nextTurn()
    expect(taken).toEqual(['a', 'b'])
    notes.add(record('c'))
    await nextTurn()
    expect(taken).toEqual(['a', 'b', 'c'])
  })
})
