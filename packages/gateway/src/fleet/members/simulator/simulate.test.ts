import { describe, expect, it } from 'vitest'
import { Violation } from '../../../scheduler/simulator/violation.ts'
import { FAULTY } from './faulty.ts'
import { simulate } from './simulate.ts'

const STEPS = 20_000
const MOST_SEEDS = 120

describe('the simulator of memberships', () => {
  it.each(Object.entries(FAULTY))('[N44] notices what goes wrong with one that %s', (_, makeFaulty) => {
    const tryAll = () => {
      for (let seed = 1; seed <= MOST_SEEDS; seed++) simulate({ seed, steps: STEPS, ...makeFaulty() })
    }
    expect(tryAll).toThrow(Violation)
  })

  it('makes the same decisions when it is run again', () => {
    const [once, again] = [7, 7].map((seed) => simulate({ seed, steps: STEPS }))
    expect(again).toEqual(once)
  })

  it('reaches every outcome a statement can have', () => {
    const met = new Set([1, 2, 3, 4].flatMap((seed) => [...simulate({ seed, steps: STEPS }).outcomes.keys()]))
    expect([...met].toSorted()).toEqual(['failed', 'gone', 'joined', 'left', 'refused', 'removed', 'renewed'])
  })
})
