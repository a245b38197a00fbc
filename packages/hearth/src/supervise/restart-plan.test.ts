import { describe, expect, it } from 'vitest'
import { RestartPlan } from './part.ts'

describe('the pause before a part is started again', () => {
  it('[R16] grows each time, also when the part does not come up', () => {
    const plan = new RestartPlan()
    const steps = [plan.afterEnd(1_000), ...Array.from({ length: 6 }, () => plan.afterEnd(undefined))]
    const pauses = steps.map((step) => (step.name === 'restart' ? step.pauseMs : step.name))
    expect(pauses).toStrictEqual([0, 500, 1_000, 2_000, 5_000, 15_000, 15_000])
  })

  it('[R16] is gone once the part has run well for a while', () => {
    const plan = new RestartPlan()
    for (let end = 0; end < 5; end++) plan.afterEnd(1_000)
    expect(plan.afterEnd(30_001)).toStrictEqual({ name: 'restart', pauseMs: 0 })
  })
})
