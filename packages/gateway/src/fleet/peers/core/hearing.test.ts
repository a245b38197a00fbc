import { beforeEach, describe, expect, it } from 'vitest'
import { Hearing } from './hearing.ts'
import { TIMING } from './timing.ts'

const ALL = [1, 2, 3]

describe('Hearing', () => {
  let hearing: Hearing
  let now: number
  beforeEach(() => {
    hearing = new Hearing(TIMING)
    now = 0
    hear(5, 1, 2, 3)
  })

  it('misses a gateway that is silent while others are heard', () => {
    hear(5, 1, 3)
    expect(hearing.list(ALL, 1, now)).toEqual([1, 3])
    hear(1, 2)
    expect(hearing.list(ALL, 1, now)).toEqual([1, 2, 3])
  })

  it('misses nobody but itself when the bus is gone', () => {
    now += 60_000
    expect(hearing.list(ALL, 1, now)).toEqual([2, 3])
  })

  it('gives everybody the same time when the bus is back', () => {
    now += 60_000
    hear(3, 1)
    expect(hearing.list(ALL, 1, now)).toEqual([1, 2, 3])
    hear(3, 1, 2)
    expect(hearing.list(ALL, 1, now)).toEqual([1, 2])
  })

  it('does not take a gateway for one that was heard because it is new', () => {
    expect(hearing.list([...ALL, 4], 1, now)).toEqual([1, 2, 3])
    hear(1, 4)
    expect(hearing.list([...ALL, 4], 1, now)).toEqual([1, 2, 3, 4])
  })

  function hear(times: number, ...numbers: number[]): void {
    for (let time = 0; time < times; time++) {
      now += TIMING.renewMs
      for (const number of numbers)
        hearing.hear(
          { id: `${number}`, number, sequence: now, acknowledged: 0, newest: 0, vouches: [], claims: [] },
          now,
        )
    }
  }
})
