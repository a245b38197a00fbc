import { describe, expect, it } from 'vitest'
import { simulateFairness } from './fairness.ts'
import { FAULTY_CORES } from './faulty-cores.ts'
import { LOADS } from './loads.ts'
import { measureForecasts, summarize } from './measure-forecasts.ts'
import { simulate } from './simulate.ts'
import { Violation } from '../violation.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]

describe('the scheduler in a random world', () => {
  it('[S41b] reaches every outcome a job can have', () => {
    const met = new Set(SEEDS.flatMap((seed) => [...simulate({ seed: seed + 100, steps: 20_000 }).outcomes.keys()]))
    expect([...met].toSorted()).toEqual([
      'cancelled',
      'crashed',
      'device-lost',
      'ended',
      'key-revoked',
      'model-disabled',
      'no-device',
      'out-of-memory',
      'queue-full',
      'refused-by-device',
      'timed-out',
      'unsupported',
    ])
  })

  it('[S41c] continues replies on other devices', () => {
    const continued = SEEDS.map((seed) => simulate({ seed: seed + 200, steps: 20_000 }).continued)
    expect(Math.min(...continued)).toBeGreaterThan(10)
  })

  it('[S40] makes the same decisions when it is run again', () => {
    const [once, again, other] = [7, 7, 8].map((seed) => simulate({ seed, steps: 20_000 }))
    expect(again).toEqual(once)
    expect(other!.hash).not.toBe(once!.hash)
  })
})

describe('the simulator', () => {
  it.each(FAULTY_CORES)('[S41] notices that $name breaks a promise', (Faulty) => {
    const tries = SEEDS.map(
      (seed) => () => simulate({ seed, steps: 40_000, createCore: (limits) => new Faulty(limits) }),
    )
    expect(() => tries.forEach((run) => run())).toThrow(Violation)
  })

  it('[S41a] reports the seed, the step and the command that shows it again', () => {
    const Faulty = FAULTY_CORES[0]!
    const run = () => simulate({ seed: 3, steps: 40_000, createCore: (limits) => new Faulty(limits) })
    expect(run).toThrow(/^Seed 3, step \d+: .*npm run simulate -- --steps 40000 --seed 3$/)
  })
})

describe('forecasts of the time to the first event', () => {
  it('[S65b] are off by at most 30 percent at the submission, as the median over several loads', () => {
    const guesses = LOADS.flatMap((load) => measureForecasts(load, 1, 300).guesses)
    const { median, count, unknown } = summarize(guesses.filter(({ kind }) => kind !== 'later'))
    expect(count).toBeGreaterThan(2_000)
    expect(unknown).toBe(0)
    expect(median).toBeLessThanOrEqual(0.3)
  })
})

describe('keys that all have more work than the devices can do', () => {
  it.each([1, 2, 3])('[S12] share the served tokens within 5 percent (seed %i)', (seed) => {
    const served = [...simulateFairness({ seed, jobs: 20_000 }).tokens.values()]
    const mean = served.reduce((sum, tokens) => sum + tokens, 0) / served.length
    for (const tokens of served) expect(Math.abs(tokens / mean - 1)).toBeLessThan(0.05)
  })

  it('[S12a] let a single job of another key have the next free slot', () => {
    expect(simulateFairness({ seed: 4, jobs: 20_000 }).overtaken).toBe(0)
  })
})
