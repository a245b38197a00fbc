import { describe, expect, it } from 'vitest'
import { OpenAttempts, type OpenAttempt } from './open-attempts.ts'

function attempt(job: string, model = 'm'): OpenAttempt {
  return { job, attempt: 1, lease: 1, model, front: 'here', isPaused: false }
}

function open(...ids: string[]): OpenAttempts {
  const attempts = new OpenAttempts()
  for (const job of ids) attempts.add(attempt(job))
  return attempts
}

describe('the open attempts of a device', () => {
  it('are over once each of them was removed, in any order', () => {
    const attempts = open('a', 'b', 'c')
    for (const job of ['b', 'c', 'a']) {
      expect(attempts.isEmpty).toBe(false)
      attempts.remove(attempts.find({ job, attempt: 1 })!)
    }
    expect(attempts.isEmpty).toBe(true)
  })

  it('are found by job and attempt, in whatever order the device reports on them', () => {
    const attempts = open('a', 'b', 'c', 'd')
    for (const job of ['c', 'c', 'd', 'a', 'b', 'd', 'a']) expect(attempts.find({ job, attempt: 1 })?.job).toBe(job)
    attempts.remove(attempts.find({ job: 'a', attempt: 1 })!)
    expect(['d', 'a', 'unknown', 'b'].map((job) => attempts.find({ job, attempt: 1 })?.job)).toEqual([
      'd',
      undefined,
      undefined,
      'b',
    ])
    expect(attempts.find({ job: 'b', attempt: 2 })).toBeUndefined()
  })

  it('are counted by model', () => {
    const attempts = open('a', 'b')
    attempts.add(attempt('c', 'n'))
    expect([attempts.countOf('m'), attempts.countOf('n'), attempts.countOf('o')]).toEqual([2, 1, 0])
  })
})
