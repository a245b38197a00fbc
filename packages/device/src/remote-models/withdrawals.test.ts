import { describe, expect, it } from 'vitest'
import { createEchoEngine, ECHO_MODEL } from '../testing/echo-engine.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { Withdrawals } from './withdrawals.ts'

const LIMIT_MS = 1_000

function begin() {
  const clock = createManualClock()
  const engine = createEchoEngine({
    models: [
      { ...ECHO_MODEL, name: 'm' },
      { ...ECHO_MODEL, name: 'other' },
    ],
  })
  const withdrawals = new Withdrawals(engine, clock, LIMIT_MS)
  const removed: string[] = []
  const announced: string[][] = []
  withdrawals.onChange(() => announced.push(withdrawals.models().map(({ name }) => name)))
  return { clock, withdrawals, removed, announced, gone: { model: 'm', remove: () => void removed.push('m') } }
}

describe('a model that is about to be removed', () => {
  it('takes no new jobs, and goes when the last one is done', () => {
    const { withdrawals, removed, announced, gone } = begin()
    withdrawals.withdraw(gone, false)
    expect(announced).toEqual([['other']])
    withdrawals.jobsChanged(() => false)
    expect(removed).toEqual([])
    withdrawals.jobsChanged(() => true)
    expect(removed).toEqual(['m'])
  })

  it('goes at once if nothing runs on it', () => {
    const { withdrawals, removed, gone } = begin()
    withdrawals.withdraw(gone, true)
    expect(removed).toEqual(['m'])
  })

  it('goes when its time is up, whatever runs', async () => {
    const { clock, withdrawals, removed, gone } = begin()
    withdrawals.withdraw(gone, false)
    withdrawals.withdraw(gone, false)
    await clock.advance(LIMIT_MS)
    expect(removed).toEqual(['m'])
  })
})
