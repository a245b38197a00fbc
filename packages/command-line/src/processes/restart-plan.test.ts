import { describe, expect, it } from 'vitest'
import { RestartPlan } from './restart-plan.ts'

const POLICY = {
  pausesMs: [1, 2, 3, 4],
  settledMs: 1_000,
  skippedAfterFailedStart: 0,
  givesUpBeforeFirstRun: false,
}

describe('the pause before the next start', () => {
  it('grows with each end in a row, and stays at the longest', () => {
    const plan = new RestartPlan(POLICY)
    expect(Array.from({ length: 6 }, () => plan.afterEnd(0))).toEqual([1, 2, 3, 4, 4, 4])
  })

  it('grows with each start that fails, too', () => {
    const plan = new RestartPlan(POLICY)
    expect([plan.afterEnd(0), plan.afterFailedStart(), plan.afterFailedStart()]).toEqual([1, 2, 3])
  })

  it('is the shortest again after the settling time, and not before', () => {
    const plan = new RestartPlan(POLICY)
    expect([plan.afterEnd(0), plan.afterEnd(1_000), plan.afterEnd(1_001)]).toEqual([1, 2, 1])
  })

  it('is never one that a failed start skips', () => {
    const plan = new RestartPlan({ ...POLICY, skippedAfterFailedStart: 2 })
    expect([plan.afterFailedStart(), plan.afterFailedStart(), plan.afterFailedStart()]).toEqual([3, 4, 4])
  })
})

it('a plan that gives up does so only before the first run', () => {
  const plan = new RestartPlan({ ...POLICY, givesUpBeforeFirstRun: true })
  expect(plan.afterFailedStart()).toBe('give-up')
  plan.afterEnd(0)
  expect(plan.afterFailedStart()).toBe(2)
})
