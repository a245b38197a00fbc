// The last 24 hours of usage, hour by hour.

import type { Schemas } from '../../api/client.ts'

const HOURS = 24
const HOUR_MS = 3_600_000

export interface Hour {
  /** Milliseconds since 1970. */
  start: number
  requests: number
  errors: number
}

/** Whole hours, so that the query stays the same within an hour and can be cached. */
export function lastDay(now: number) {
  const to = Math.ceil(now / HOUR_MS) * HOUR_MS
  return { from: new Date(to - HOURS * HOUR_MS).toISOString(), to: new Date(to).toISOString() }
}

export function sumHours(
  points: readonly Pick<Schemas['Usage']['points'][number], 'at' | 'requests' | 'errors'>[],
  from: string,
): Hour[] {
  const first = Date.parse(from)
  const hours = Array.from({ length: HOURS }, (_, index) => ({
    start: first + index * HOUR_MS,
    requests: 0,
    errors: 0,
  }))
  for (const { at, requests, errors } of points) {
    const hour = hours[Math.floor((Date.parse(at) - first) / HOUR_MS)]
    if (!hour) continue
    hour.requests += requests
    hour.errors += errors
  }
  return hours
}

/** The top of an axis: 1, 2 or 5 times a power of ten, and even, so that its middle is a whole number. */
export function roundUp(value: number): number {
  if (value <= 2) return 2
  const power = 10 ** Math.floor(Math.log10(value))
  const step = [1, 2, 4, 5, 6, 8].find((factor) => factor * power >= value && (factor * power) % 2 === 0)
  return (step ?? 10) * power
}
