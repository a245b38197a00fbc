// The selected period and the bars of its chart. Bars of hours follow the viewer's time zone. The gateway counts days in UTC, so longer
// periods use UTC days.

import type { paths } from '../../api/schema.d.ts'
import { formatClock, MOMENT } from '../../lib/format.ts'

type UsageParameters = Required<paths['/organizations/{organization}/usage']['get']['parameters']['query']>
export type By = UsageParameters['by']

export type RangeName = 'day' | 'week' | 'month' | 'custom'

/** Days in the format of date inputs: 2026-11-15. The range includes both. */
export interface CustomDays {
  first: string
  last: string
}

export interface Range {
  from: Date
  to: Date
  step: UsageParameters['step']
  unit: Unit
}

/** One bar of the chart. */
type Unit = 'hour' | 'quarter-day' | 'utc-day'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const QUARTER_HOURS = 6
const MOST_DAYS = 400

export function rangeOf(name: RangeName, custom: CustomDays, now: number): Range {
  const end = new Date(Math.floor(now / HOUR_MS) * HOUR_MS + HOUR_MS)
  if (name === 'day') return { from: new Date(end.getTime() - DAY_MS), to: end, step: 'hour', unit: 'hour' }
  if (name === 'week') return { from: localMidnight(end, -6), to: end, step: 'hour', unit: 'quarter-day' }
  if (name === 'month') return utcDays(Math.floor(now / DAY_MS) - 29, Math.floor(now / DAY_MS))
  return customRange(custom)
}

/** The error in the selected days, if any. */
export function errorIn({ first, last }: CustomDays): string | undefined {
  const days = dayNumber(last) - dayNumber(first) + 1
  if (Number.isNaN(days)) return 'Select both days'
  if (days < 1) return 'The last day is before the first day'
  return days > MOST_DAYS ? `At most ${MOST_DAYS} days` : undefined
}

function customRange({ first, last }: CustomDays): Range {
  const days = dayNumber(last) - dayNumber(first) + 1
  if (days > 8) return utcDays(dayNumber(first), dayNumber(last))
  const from = new Date(`${first}T00:00`)
  const to = localMidnight(new Date(`${last}T00:00`), 1)
  return { from, to, step: 'hour', unit: days > 2 ? 'quarter-day' : 'hour' }
}

function utcDays(first: number, last: number): Range {
  return { from: new Date(first * DAY_MS), to: new Date((last + 1) * DAY_MS), step: 'day', unit: 'utc-day' }
}

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00Z`) / DAY_MS
}

function localMidnight(date: Date, daysLater: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + daysLater)
}

/** The start of each bar, in milliseconds since 1970. */
export function startsOf({ from, to, unit }: Range): number[] {
  const starts: number[] = []
  for (let at = from; at < to; at = nextStart(at, unit)) starts.push(at.getTime())
  return starts
}

/** A quarter of a local day is an hour longer or shorter when the clocks change. */
function nextStart(at: Date, unit: Unit): Date {
  if (unit === 'hour') return new Date(at.getTime() + HOUR_MS)
  if (unit === 'utc-day') return new Date(at.getTime() + DAY_MS)
  const next = new Date(at.getFullYear(), at.getMonth(), at.getDate(), at.getHours() + QUARTER_HOURS)
  return next > at ? next : new Date(at.getTime() + QUARTER_HOURS * HOUR_MS)
}

const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' })
const utcDay = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const utcDate = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeZone: 'UTC' })
const full = new Intl.DateTimeFormat(undefined, { weekday: 'short', ...MOMENT })

/** A short label under the chart. */
export function formatTick(at: number, unit: Unit): string {
  if (unit === 'utc-day') return utcDay.format(at)
  return unit === 'hour' ? formatClock(at) : day.format(at)
}

/** The start and end of a bar. */
export function formatBar(at: number, unit: Unit): string {
  if (unit === 'utc-day') return `${utcDate.format(at)}, UTC`
  return `${full.format(at)} – ${formatClock(nextStart(new Date(at), unit))}`
}

/** A day in the format of date inputs, in the viewer's time zone. */
export function dayOf(now: number, daysLater = 0): string {
  const date = new Date(now)
  date.setDate(date.getDate() + daysLater)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
