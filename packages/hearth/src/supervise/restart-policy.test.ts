import { describe, expect, it } from 'vitest'
import { RestartPlan } from '@hearth/command-line/processes/restart-plan'
import { PART_RESTARTS } from './restart-policy.ts'

describe('the pause before a part is started again', () => {
  it('grows each time, also when the part does not come up', () => {
    const plan = new RestartPlan(PART_RESTARTS)
    const pauses = [plan.afterEnd(1_000), ...Array.from({ length: 6 }, () => plan.afterFailedStart())]
    expect(pauses).toStrictEqual([0, 500, 1_000, 2_000, 5_000, 15_000, 15_000])
  })

  it('is gone once the part has run well for a while', () => {
    const plan = new RestartPlan(PART_RESTARTS)
    for (let end = 0; end < 5; end++) plan.afterEnd(1_000)
    expect(plan.afterEnd(30_001)).toBe(0)
  })
})
