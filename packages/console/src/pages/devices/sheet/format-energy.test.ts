import { describe, expect, it } from 'vitest'
import { describeParts, formatEnergy, formatPower } from './format-energy.ts'

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

  it('says what it is the energy of', () => {
    expect([['processor', 'gpu'], ['gpu'], ['processor'], []].map((parts) => describeParts(parts as ['gpu']))).toEqual([
      'processor and GPU',
      'GPU only',
      'processor only',
      '',
    ])
    expect(formatPower(84.1)).toBe('84 W')
  })
})
