// Formats numbers, sizes and times for display.

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB']
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

const whole = new Intl.NumberFormat('en')
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const ordinals = new Intl.PluralRules('en', { type: 'ordinal' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const fullMoment = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })

export function formatCount(value: number): string {
  return whole.format(value)
}

/** 3 as 3rd. */
export function formatOrdinal(value: number): string {
  const endings = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' }
  return `${whole.format(value)}${endings[ordinals.select(value)]}`
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

export function formatBytes(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  const value = bytes / 1000 ** power
  return `${value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}

/** Context length in the usual shorthand: 32768 is 32K. */
export function formatContext(tokens: number): string {
  if (tokens < 1024) return String(tokens)
  const thousands = tokens % 1024 === 0 ? tokens / 1024 : tokens / 1000
  return thousands >= 1000 ? `${trim(thousands / 1000)}M` : `${trim(thousands)}K`
}

function trim(value: number): string {
  return String(Math.round(value * 10) / 10)
}

export function formatSpeed(tokensPerSecond: number): string {
  return tokensPerSecond >= 10 ? String(Math.round(tokensPerSecond)) : tokensPerSecond.toFixed(1)
}

/** Date and time in the viewer's time zone, with the zone's name. */
export function formatMoment(at: string): string {
  return fullMoment.format(new Date(at))
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

/** "12 s", "3 min", "1 h 5 min" */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.max(1, Math.round(seconds))} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}
