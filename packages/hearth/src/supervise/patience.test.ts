import { describe, expect, it } from 'vitest'
import { judge, lengthen, NO_SILENCE, shareOf, WHILE_RUNNING, WHILE_STARTING, type Patience } from './patience.ts'

type Second = { cpuMs: number; isEager?: boolean } | 'nobody knows'

/** The silence after so many seconds that were all alike. */
function silenceOf(seconds: number, each: Second) {
  let silence = NO_SILENCE
  for (let second = 1; second <= seconds; second++) {
    const { cpuMs, isEager = false } = each === 'nobody knows' ? { cpuMs: 0 } : each
    const seen = { at: second * 1_000, cpuMs: 5_000 + second * cpuMs, isEager }
    silence = lengthen(silence, each === 'nobody knows' ? undefined : seen)
  }
  return silence
}

const WAITS: Second = { cpuMs: 0 }
const WAITS_FOR_A_CORE: Second = { cpuMs: 0, isEager: true }
const GETS_A_BIT: Second = { cpuMs: 60 }
const GETS_A_CORE: Second = { cpuMs: 1_000, isEager: true }

describe('a silent part', () => {
  it.each<[string, Patience, Second, [number, string][]]>([
    [
      'that waits',
      WHILE_RUNNING,
      WAITS,
      [
        [14, 'fine'],
        [15, 'idle'],
      ],
    ],
    [
      'that waits while it starts',
      WHILE_STARTING,
      WAITS,
      [
        [59, 'fine'],
        [60, 'idle'],
      ],
    ],
    [
      'of which nobody knows more',
      WHILE_RUNNING,
      'nobody knows',
      [
        [14, 'fine'],
        [15, 'idle'],
      ],
    ],
    [
      'in a loop',
      WHILE_RUNNING,
      GETS_A_CORE,
      [
        [14, 'fine'],
        [15, 'looping'],
      ],
    ],
    [
      'in a loop while it starts',
      WHILE_STARTING,
      GETS_A_CORE,
      [
        [59, 'fine'],
        [60, 'slow'],
        [61, 'looping'],
      ],
    ],
    [
      'in a loop on a busy machine',
      WHILE_RUNNING,
      { cpuMs: 100, isEager: true },
      [
        [15, 'slow'],
        [100, 'slow'],
        [101, 'looping'],
      ],
    ],
    [
      'on a slow machine',
      WHILE_RUNNING,
      GETS_A_BIT,
      [
        [14, 'fine'],
        [15, 'slow'],
        [166, 'slow'],
      ],
    ],
    [
      'that starts on a slow machine',
      WHILE_STARTING,
      GETS_A_BIT,
      [
        [59, 'fine'],
        [60, 'slow'],
        [900, 'slow'],
      ],
    ],
    [
      'that gets no core at all',
      WHILE_RUNNING,
      WAITS_FOR_A_CORE,
      [
        [15, 'slow'],
        [900, 'slow'],
      ],
    ],
  ])('%s', (_title, patience, each, verdicts) => {
    const found = verdicts.map(([seconds]) => [seconds, judge(silenceOf(seconds, each), patience)])
    expect(found).toEqual(verdicts)
  })

  it('has to be idle without a break', () => {
    const paused = lengthen(silenceOf(14, WAITS), { at: 15_000, cpuMs: 5_060, isEager: false })
    expect(judge(paused, WHILE_RUNNING)).toBe('slow')
    const again = lengthen(paused, { at: 16_000, cpuMs: 5_060, isEager: false })
    expect(again).toMatchObject({ looks: 16, idleLooks: 1 })
  })

  it('has a share of a core, if the system says so', () => {
    expect(shareOf(silenceOf(10, GETS_A_BIT))).toBeCloseTo(0.06)
    expect(shareOf(silenceOf(10, 'nobody knows'))).toBeUndefined()
  })
})
