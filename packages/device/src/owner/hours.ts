// The hours when the machine may serve, in local time: "18:00-08:00", or several spans separated by commas. A span may cross midnight.

export type Hours = readonly Span[]

/** Minutes since midnight; `to` is exclusive. */
export interface Span {
  from: number
  to: number
}

const DAY = 24 * 60

/** Throws an Error that says what is wrong. */
export function parseHours(text: string): Hours {
  return text.split(',').map((part) => parseSpan(part.trim()))
}

function parseSpan(text: string): Span {
  const [, from, to] = /^(\d{1,2}:\d{2})\s*-\s*(\d{1,2}:\d{2})$/.exec(text) ?? []
  if (from === undefined || to === undefined) throw new Error('write hours as 18:00-08:00 or 12:00-13:00,18:00-08:00')
  const span = { from: minutesOf(from), to: minutesOf(to) }
  if (span.from === span.to) throw new Error(`${text} is empty; start and end must differ`)
  return span
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  if (minutes > 59 || hours * 60 + minutes > DAY) throw new Error(`${text} is not a time of day`)
  return (hours * 60 + minutes) % DAY
}

export function isWithin(hours: Hours, date: Date): boolean {
  const minute = date.getHours() * 60 + date.getMinutes()
  return hours.some(({ from, to }) => (from < to ? minute >= from && minute < to : minute >= from || minute < to))
}

/** The time of day when the next span starts. */
export function nextStart(hours: Hours, date: Date): string {
  const minute = date.getHours() * 60 + date.getMinutes()
  const [first = 0] = hours.map(({ from }) => from).toSorted((a, b) => ahead(a, minute) - ahead(b, minute))
  return timeOfDay(first)
}

function ahead(minute: number, now: number): number {
  return (minute - now + DAY) % DAY
}

export function formatHours(hours: Hours): string {
  return hours.map(({ from, to }) => `${timeOfDay(from)}-${timeOfDay(to)}`).join(',')
}

function timeOfDay(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
