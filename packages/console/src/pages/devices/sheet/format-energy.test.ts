import { describe, expect, it } from 'vitest'
import { describeParts, formatEnergy } from './format-energy.ts'

describe('energy', () => {
  it.each([
    [0, '0 Wh'],
    [0.04, '0 Wh'],
    [0.5, '0.5 Wh'],
    [9.96, '10 Wh'],
    [312.4, '312 Wh'],
    [999.6, '1.0 kWh'],
    [1_840.25, '1.8 kWh'],
  ])('%f watt-hours are %s', (wattHours, text) => {
    expect(formatEnergy(wattHours)).toBe(text)
  })

  it.each([
    [['processor', 'gpu'], 'processor and GPU'],
    [['processor'], 'processor only'],
    [[], ''],
  ] as const)('of %j is that of the %s', (parts, words) => {
    expect(describeParts([...parts])).toBe(words)
  })
})
