import { describe, expect, it } from 'vitest'
import type { Schemas } from '../../../api/client.ts'
import { energyFigures, workFigures } from './day-figures.ts'

type Day = Schemas['DeviceDay']

const SINCE = '2026-11-17T00:00:00.000Z'
const NOON = new Date('2026-11-17T12:00:00.000Z').getTime()
const NONE: Day['total'] = { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, busyMs: 0 }
const SOME = { requests: 1_200, errors: 6, promptTokens: 900_000, completionTokens: 100_000, busyMs: 21_600_000 }
const ENERGY: Day['energy'] = { parts: ['gpu'], watts: 312.4, wattHoursToday: 1_840 }

function figures(more: Partial<Day>, slots = 4): Record<string, string> {
  const takeOvers = { continued: 0, handedOn: 0 }
  const day: Day = { since: SINCE, total: NONE, models: [], takeOvers, energy: null, ...more }
  const all = [...workFigures(day, slots, NOON), ...energyFigures(day)]
  return Object.fromEntries(
    all.map(({ title, value, note }) => [title, note === undefined ? value : `${value}, ${note}`]),
  )
}

describe("the figures of a device's day", () => {
  it('are none if it did nothing and measures nothing', () => {
    expect(figures({})).toEqual({})
  })

  it('say what it did, and how much of its time that took', () => {
    expect(figures({ total: SOME })).toEqual({
      Requests: '1,200',
      Errors: '6, under 1% of requests',
      'Tokens in': '900K',
      'Tokens out': '100K',
      'Device time': '6.0 h, 13% of its slots’ time',
      'Continued for others': '0, and 0 of its own continued elsewhere',
    })
  })

  it('leave out the share of the slots while it has none', () => {
    expect(figures({ total: SOME }, 0)['Device time']).toBe('6.0 h')
  })

  it('count responses that were continued, also for a device that finished none itself', () => {
    expect(figures({ takeOvers: { continued: 0, handedOn: 2 } })).toEqual({
      'Continued for others': '0, and 2 of its own continued elsewhere',
    })
  })

  it('relate its energy to its tokens', () => {
    expect(figures({ total: SOME, energy: ENERGY })).toMatchObject({
      'Power now': '312 W, GPU only',
      Energy: '1.8 kWh, while its app ran',
      'Per million tokens': '1.8 kWh, in and out, idle time included',
    })
  })

  it('have no energy per token without tokens, or before anything was counted', () => {
    expect(figures({ energy: ENERGY })).not.toHaveProperty('Per million tokens')
    const nothing = { ...ENERGY, wattHoursToday: 0 }
    expect(figures({ total: SOME, energy: nothing })).not.toHaveProperty('Per million tokens')
  })
})
