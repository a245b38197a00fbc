import { describe, expect, it } from 'vitest'
import { OpenJobs } from './open-jobs.ts'

function open(...ids: string[]): OpenJobs {
  const jobs = new OpenJobs()
  for (const job of ids) jobs.add({ job, attempt: 1 })
  return jobs
}

describe('the open jobs of a device', () => {
  it('are over once each of them was removed, in any order', () => {
    const jobs = open('a', 'b', 'c')
    for (const job of ['b', 'c', 'a']) {
      expect(jobs.isEmpty).toBe(false)
      jobs.remove({ job, attempt: 1 })
    }
    expect(jobs.isEmpty).toBe(true)
  })

  it('are not touched by reports on other jobs and attempts', () => {
    const jobs = open('a')
    jobs.remove({ job: 'a', attempt: 2 })
    jobs.remove({ job: 'b', attempt: 1 })
    expect(jobs.isEmpty).toBe(false)
  })

  it('have the ids that were sent, in whatever order the device reports on them', () => {
    const jobs = open('a', 'b', 'c', 'd')
    for (const job of ['c', 'c', 'd', 'a', 'b', 'd', 'a']) expect(jobs.knownId({ job, attempt: 1 })).toBe(job)
    jobs.remove({ job: 'a', attempt: 1 })
    for (const job of ['d', 'a', 'unknown', 'b']) expect(jobs.knownId({ job, attempt: 1 })).toBe(job)
  })
})
