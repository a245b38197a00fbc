import { describe, expect, it } from 'vitest'
import { FAULTY } from './faulty.ts'
import { simulatePeers } from './simulate.ts'
import { Violation } from '../violation.ts'

const STEPS = 20_000
const MOST_SEEDS = 100
/** Some faults show only in rare worlds: the search starts near one. */
const FIRST_SEEDS: Record<string, number> = {
  ClaimsOnEveryServer: 80,
  CountsMandateFromTheAnswer: 33,
  CountsThoseWithoutTheBus: 3,
  CountsVouchesFromHearing: 90,
  GoesOnAloneWithoutDatabase: 5,
  IgnoresBreaks: 244,
  IgnoresClaims: 10,
  IsImpatient: 5,
  RemovesAfterAnOutage: 10,
  RemovesOutOfSight: 4,
  TrustsUnprovenConnections: 706,
  VouchesForTheCondemned: 1263,
}

describe('the simulator of peers', () => {
  it.each(Object.entries(FAULTY))('[N58] notices what goes wrong with one that %s', (name, makeFaulty) => {
    const tryAll = () => {
      const first = FIRST_SEEDS[name] ?? 1
      for (let seed = first; seed < first + MOST_SEEDS; seed++) simulatePeers({ seed, steps: STEPS, ...makeFaulty() })
    }
    expect(tryAll).toThrow(Violation)
  })

  it('makes the same decisions when it is run again', () => {
    const [once, again] = [7, 7].map((seed) => simulatePeers({ seed, steps: STEPS }))
    expect(again).toEqual(once)
  })

  it('reaches every answer a query can have', () => {
    const met = new Set(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((seed) => [...simulatePeers({ seed, steps: STEPS }).answers.keys()]),
    )
    expect([...met].toSorted()).toEqual([
      'failed',
      'gone',
      'joined',
      'left',
      'refused',
      'removed',
      'renewed',
      'set-aside',
    ])
  })
})
