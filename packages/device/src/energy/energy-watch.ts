// Watches the power that this machine takes and adds it up, as far as it can be measured. It works beside the jobs and never holds one up.

import type { Energy, EnergyPart } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import type { Say } from '../news.ts'
import type { Meter } from './meter.ts'
import { DayCount } from './day-count.ts'

export interface EnergyWatchOptions {
  meters: readonly Meter[]
  /** The file with the count of the day. */
  path: string
  clock: Clock
  /** Undefined once nothing can be measured any more. */
  onEnergy: (energy: Energy | undefined) => void
  say: Say
}

const READ_MS = 10_000
/** A meter may fail while the machine is very busy; after this many failures in a row, it is not asked again. */
const MOST_FAILURES = 3
/** After a longer time, the machine has slept or hung: nobody knows what it took. */
const LONGEST_MS = 3 * READ_MS

interface Watched {
  meter: Meter
  failures: number
  /** Undefined before the first measurement. */
  watts: number | undefined
}

const NAMES: Readonly<Record<EnergyPart, string>> = { processor: 'processor', gpu: 'graphics card' }

export class EnergyWatch {
  readonly #options: EnergyWatchOptions
  readonly #end = new AbortController()
  #watched: Watched[]
  /** Opened by the first measurement: most machines measure nothing and need no file. */
  #day: DayCount | undefined
  #readAt: number | undefined
  #isReading = false
  #stopTimer = (): void => {}

  constructor(options: EnergyWatchOptions) {
    this.#options = options
    this.#watched = options.meters.map((meter) => ({ meter, failures: 0, watts: undefined }))
  }

  start(): void {
    if (this.#watched.length === 0) return
    this.#stopTimer = this.#options.clock.every(READ_MS, () => void this.#read())
    void this.#read()
  }

  stop(): void {
    this.#end.abort()
    this.#stopTimer()
    this.#day?.write(this.#options.clock.date())
  }

  async #read(): Promise<void> {
    if (this.#isReading) return
    this.#isReading = true
    await Promise.all(this.#watched.map(async (watched) => this.#readOne(watched)))
    this.#isReading = false
    if (this.#end.signal.aborted) return
    this.#drop()
    this.#report()
    if (this.#watched.length === 0) this.#stopTimer()
  }

  async #readOne(watched: Watched): Promise<void> {
    const { signal } = this.#end
    // A meter rejects only when the app ends.
    const reading = await watched.meter.read(this.#options.clock.now(), signal).catch(() => undefined)
    if (reading === undefined) return
    watched.failures = reading.kind === 'none' ? watched.failures + 1 : 0
    if (reading.kind === 'power') watched.watts = reading.watts
  }

  /** Meters that fail again and again. Their owner hears of it only if they ever worked. */
  #drop(): void {
    const failed = this.#watched.filter(({ failures }) => failures >= MOST_FAILURES)
    this.#watched = this.#watched.filter(({ failures }) => failures < MOST_FAILURES)
    for (const { meter, watts } of failed)
      if (watts !== undefined)
        this.#options.say(`Can't measure the energy of the ${NAMES[meter.part]} any more: restart the app to try again`)
    if (this.#day !== undefined && this.#measuring.length === 0) this.#options.onEnergy(undefined)
  }

  get #measuring(): Watched[] {
    return this.#watched.filter(({ watts }) => watts !== undefined)
  }

  #report(): void {
    const measuring = this.#measuring
    if (measuring.length === 0) return
    const { clock, path, onEnergy } = this.#options
    const date = clock.date()
    const watts = measuring.reduce((sum, one) => sum + (one.watts ?? 0), 0)
    this.#day ??= new DayCount(path, date)
    const wattHours = this.#day.add((watts * this.#elapsedMs()) / 3_600_000, date)
    const parts = measuring.map(({ meter }) => meter.part)
    onEnergy({ parts, watts: round(watts, 10), wattHoursToday: round(wattHours, 100) })
  }

  /** Since the last time, if power was measured then. */
  #elapsedMs(): number {
    const now = this.#options.clock.now()
    const elapsedMs = now - (this.#readAt ?? now)
    this.#readAt = now
    return elapsedMs > LONGEST_MS ? 0 : elapsedMs
  }
}

function round(value: number, steps: number): number {
  return Math.round(value * steps) / steps
}
