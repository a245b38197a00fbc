import { describe, expect, it } from 'vitest'
import { RestartPlan } from './restart-plan.ts'

describe('the pause before a model is loaded again', () => {
  it('grows with each crash, until the model counts as failed', () => {
    const plan = new RestartPlan()
    const pauses = Array.from({ length: 8 }, () => plan.afterCrash(1_000))
    expect(pauses.map(({ ms }) => ms)).toEqual([100, 1_000, 2_000, 5_000, 15_000, 60_000, 300_000, 300_000])
    expect(pauses.map(({ isRestart }) => isRestart)).toEqual([true, true, true, true, true, false, false, false])
  })

  it('is short again once an engine has served for more than a minute', () => {
    const plan = new RestartPlan()
    for (let crash = 0; crash < 6; crash++) plan.afterCrash(1_000)
    expect(plan.afterCrash(60_001)).toEqual({ ms: 100, isRestart: true })
  })

  it('is never short after a failed load, not even right after a crash', () => {
    const plan = new RestartPlan()
    plan.afterCrash(1_000)
    const pauses = Array.from({ length: 5 }, () => plan.afterFailedLoad())
    expect(pauses.map(({ ms }) => ms)).toEqual([5_000, 15_000, 60_000, 300_000, 300_000])
    expect(pauses.some(({ isRestart }) => isRestart)).toBe(false)
  })
})
