import { describe, expect, it } from 'vitest'
import { RestartPlan } from '@hearth/command-line/processes/restart-plan'
import { isSoonBack, MODEL_RESTARTS } from './restart-policy.ts'

describe('the pause before a model is loaded again', () => {
  it('grows with each crash, until the model counts as failed', () => {
    const plan = new RestartPlan(MODEL_RESTARTS)
    const pauses = Array.from({ length: 8 }, () => plan.afterEnd(1_000))
    expect(pauses).toEqual([100, 1_000, 2_000, 5_000, 15_000, 60_000, 300_000, 300_000])
    expect(pauses.map(isSoonBack)).toEqual([true, true, true, true, true, false, false, false])
  })

  it('is short again once an engine has served for more than a minute', () => {
    const plan = new RestartPlan(MODEL_RESTARTS)
    for (let crash = 0; crash < 6; crash++) plan.afterEnd(1_000)
    expect(plan.afterEnd(60_001)).toBe(100)
  })

  it('is never short after a failed load, not even right after a crash', () => {
    const plan = new RestartPlan(MODEL_RESTARTS)
    plan.afterEnd(1_000)
    const pauses = Array.from({ length: 5 }, () => plan.afterFailedStart())
    expect(pauses).toEqual([5_000, 15_000, 60_000, 300_000, 300_000])
  })
})
