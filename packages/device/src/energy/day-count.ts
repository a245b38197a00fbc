// The watt-hours of this day, in UTC. A file keeps them, so that they survive a restart of the app.

import { MAX_WATT_HOURS } from '@hearth/protocol'
import { keepNotes, recallNotes } from '@hearth/command-line/files/notes'

/** Power is measured every few seconds; a crash may lose this much of it. */
const WRITE_MS = 60_000

interface Count {
  /** 2026-11-17 */
  day: string
  wattHours: number
}

export class DayCount {
  readonly #path: string
  #count: Count
  #writtenAt = Number.NEGATIVE_INFINITY

  constructor(path: string, date: Date) {
    this.#path = path
    this.#count = readCount(path) ?? { day: dayOf(date), wattHours: 0 }
  }

  /** The sum of the day. */
  add(wattHours: number, date: Date): number {
    const day = dayOf(date)
    const before = day === this.#count.day ? this.#count.wattHours : 0
    this.#count = { day, wattHours: Math.min(before + wattHours, MAX_WATT_HOURS) }
    if (Math.abs(date.getTime() - this.#writtenAt) >= WRITE_MS) this.write(date)
    return this.#count.wattHours
  }

  write(date: Date): void {
    this.#writtenAt = date.getTime()
    keepNotes(this.#path, this.#count)
  }
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}

/** Undefined if the file is missing or damaged. */
function readCount(path: string): Count | undefined {
  const { day, wattHours } = recallNotes(path)
  const isCount = typeof wattHours === 'number' && wattHours >= 0 && wattHours <= MAX_WATT_HOURS
  return typeof day === 'string' && isCount ? { day, wattHours } : undefined
}
