import { describe, expect, it } from 'vitest'
import { formatHours, isWithin, nextStart, parseHours } from './hours.ts'

const at = (time: string): Date => new Date(`2026-11-15T${time}:00`)

describe('hours', () => {
  it('may cross midnight and have several spans', () => {
    const night = parseHours('18:00-08:00')
    expect(['17:59', '18:00', '23:59', '00:00', '07:59', '08:00'].map((time) => isWithin(night, at(time)))).toEqual([
      false,
      true,
      true,
      true,
      true,
      false,
    ])
    const breaks = parseHours('12:00-13:00, 18:30-20:00')
    expect(['12:30', '13:00', '19:00'].map((time) => isWithin(breaks, at(time)))).toEqual([true, false, true])
    expect(isWithin(parseHours('18:00-24:00'), at('23:59'))).toBe(true)
  })

  it('say when serving starts again', () => {
    expect(nextStart(parseHours('12:00-13:00,18:00-08:00'), at('09:00'))).toBe('12:00')
    expect(nextStart(parseHours('12:00-13:00,18:00-20:00'), at('21:00'))).toBe('12:00')
    expect(formatHours(parseHours('8:00-9:30'))).toBe('08:00-09:30')
  })

  it.each(['18-8', '25:00-08:00', '18:00-18:00', '18:60-19:00', '', 'night'])('reject %s', (text) => {
    expect(() => parseHours(text)).toThrow()
  })
})
