// Formats numbers, sizes and times for display. What terminals show too looks the same there.

import { formatCount } from '@hearth/command-line/format'

export {
  formatBytes,
  formatContext,
  formatCount,
  formatMemory,
  formatSeconds,
  formatSpeed,
  plural,
} from '@hearth/command-line/format'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
/** Day and time, in few letters. */
export const MOMENT = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const
const second = new Intl.DateTimeFormat(undefined, { ...MOMENT, second: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

/** 3 as 3rd. */
export function formatOrdinal(value: number): string {
  const endings = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }
  return `${formatCount(value)}${endings[ordinals.select(value)]}`
}

export function capitalize(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

/** A time that is only estimated: no more digits than are meant. */
export function formatRough(ms: number): string {
  if (ms < 20_000) return `${Math.max(1, Math.round(ms / 1_000))} s`
  if (ms < 58_000) return `${5 * Math.round(ms / 5_000)} s`
  return `${Math.round(ms / MINUTE_MS)} min`
}

/** 12,345 as 12.3K. */
export function formatShort(value: number): string {
  return short.format(value)
}

/** Date and time in the viewer's time zone, with the zone's name. */
export function formatDateTime(at: string): string {
  return dateTime.format(new Date(at))
}

/** The time of day, as people write it where the viewer is. */
export function formatClock(at: number | Date): string {
  return clock.format(at)
}

/** To the second, for rows that may be close together. */
export function formatSecond(at: string): string {
  return second.format(new Date(at))
}

function formatDay(at: string): string {
  return day.format(new Date(at))
}

/** "5 minutes ago", "in 2 days"; the date once it is more than a month away. */
export function formatRelative(at: string, now: number): string {
  const distance = new Date(at).getTime() - now
  const size = Math.abs(distance)
  // The gateway's clock may be a little ahead.
  if (size < 45_000) return 'just now'
  if (size < HOUR_MS) return relative.format(Math.round(distance / MINUTE_MS), 'minute')
  if (size < DAY_MS) return relative.format(Math.round(distance / HOUR_MS), 'hour')
  if (size < 31 * DAY_MS) return relative.format(Math.round(distance / DAY_MS), 'day')
  return formatDay(at)
}

/** A measured time, such as the time that devices spent on requests. */
export function formatMs(ms: number): string {
  if (ms >= HOUR_MS) return `${(ms / HOUR_MS).toFixed(1)} h`
  if (ms >= MINUTE_MS) return `${(ms / MINUTE_MS).toFixed(1)} min`
  return ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`
}
