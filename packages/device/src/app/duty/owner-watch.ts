// Watches what the owner wants of this machine: the control file, the hours, the power state, and whether it is about to sleep.

import type { Clock } from '../../clock.ts'
import { decidePermission, type Power, type Verdict } from '../../owner/permission.ts'
import type { SleepWatch, WatchSleep } from '../../owner/sleep-watch.ts'
import type { Settings } from '../../settings/settings.ts'
import { readControl } from '../../state/control-file.ts'

export interface OwnerWatchOptions {
  /** The control file. */
  path: string
  settings: Pick<Settings, 'hours' | 'onlyOnMains'>
  clock: Clock
  readPower: () => Promise<Power>
  watchSleep: WatchSleep
  /** Whether jobs run. */
  isBusy: () => boolean
  onChange: (permission: Verdict) => void
}

/** Reading the power state takes running another program. */
const POWER_MS = 15_000

export class OwnerWatch {
  readonly #options: OwnerWatchOptions
  #permission: Verdict = { allowed: true }
  #power: Power = 'unknown'
  #isFallingAsleep = false
  #sleep: SleepWatch | undefined
  #stopAsking = (): void => {}

  constructor(options: OwnerWatchOptions) {
    this.#options = options
  }

  get permission(): Verdict {
    return this.#permission
  }

  async start(signal: AbortSignal): Promise<void> {
    const { clock, watchSleep, isBusy } = this.#options
    await this.#askPower()
    if (signal.aborted) return
    this.look()
    this.#stopAsking = clock.every(POWER_MS, () => void this.#askPower())
    this.#sleep = watchSleep({ onSleep: () => this.#turn(true), onWake: () => this.#turn(false), isBusy })
  }

  look(): void {
    const { path, settings, clock, onChange } = this.#options
    const { hours, onlyOnMains } = settings
    const rules = { ...readControl(path), isFallingAsleep: this.#isFallingAsleep, hours, onlyOnMains }
    const permission = decidePermission(rules, clock.date(), this.#power)
    if (JSON.stringify(permission) === JSON.stringify(this.#permission)) return
    this.#permission = permission
    onChange(permission)
  }

  /** The jobs are handed over: the machine may sleep now. */
  letSleep(): void {
    this.#sleep?.letSleep()
  }

  stop(): void {
    this.#stopAsking()
    this.#sleep?.stop()
  }

  #turn(isFallingAsleep: boolean): void {
    this.#isFallingAsleep = isFallingAsleep
    this.look()
  }

  async #askPower(): Promise<void> {
    const { settings, readPower } = this.#options
    if (settings.onlyOnMains) this.#power = await readPower()
  }
}
