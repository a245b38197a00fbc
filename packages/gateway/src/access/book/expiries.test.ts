import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Expiries } from './expiries.ts'

describe('expiries', () => {
  it('finds every key once, when its time is up and not before', () => {
    const times = fc.array(fc.integer({ min: 0, max: 600_000 }), { maxLength: 50 })
    const steps = fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 20 })
    fc.assert(
      fc.property(times, steps, (due, passes) => {
        const expiries = new Expiries(0)
        for (const [index, time] of due.entries()) expiries.add(`k${index}`, time)
        const taken: string[] = []
        let now = 0
        for (const passed of [...passes, 600_000]) {
          now += passed
          for (const key of expiries.take(now)) {
            expect(due[Number(key.slice(1))]).toBeLessThanOrEqual(now)
            taken.push(key)
          }
          expect(taken).toHaveLength(due.filter((time) => time <= now).length)
        }
        expect(new Set(taken).size).toBe(due.length)
      }),
    )
  })

  it('finds a key that was added after the clock was set back', () => {
    const expiries = new Expiries(600_000)
    expiries.add('k', 0)
    expect(expiries.take(600_000)).toEqual(['k'])
  })
})
