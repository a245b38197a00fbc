// Watches what the owner wants of this machine (the control file, the hours, the power state, and whether it is about to sleep), and carries it
// out: whether the device takes jobs, which models are in memory, what happens to running jobs, and whether the machine stays awake for them.

import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../clock.ts'
import type { Device } from '../device.ts'
import type { Machine } from '../gpu/detect-gpu.ts'
import type { ModelEntry } from '../models/registry/registry.ts'
import type { Say } from '../news.ts'
import { createKeepAwake, type AwakeProcess, type KeepAwake } from '../owner/keep-awake.ts'
import { decidePermission, type Power, type Verdict } from '../owner/permission.ts'
import { readPower } from '../owner/power.ts'
import type { SleepWatch, WatchSleep } from '../owner/sleep-listener.ts'
import type { Serving } from '../serving/serving.ts'
import type { Settings } from '../settings/settings.ts'
import type { RunCommand } from '../system/run-command.ts'
import { readControl } from '../state/control-file.ts'

export interface AvailabilityWorld {
  clock: Clock
  machine: Machine
  run: RunCommand
  startAwakeProcess: () => AwakeProcess | undefined
  watchSleep: WatchSleep
}

export interface AvailabilityOptions {
  /** The control file. */
  path: string
  settings: Pick<Settings, 'hours' | 'onlyOnMains' | 'keepAwake' | 'drainSeconds'>
  world: AvailabilityWorld
  device: Pick<Device, 'tell' | 'allow' | 'idle' | 'jobs' | 'stopJobs' | 'handOver'>
  serving: Pick<Serving, 'sync'>
  entries: () => readonly ModelEntry[]
  say: Say
  onChange: (permission: Verdict) => void
  signal: AbortSignal
}

type Ban = Extract<Verdict, { allowed: false }>

/** Reading the power state takes running another program. */
const POWER_MS = 15_000
/** Systems wait five seconds at most before they sleep. */
const BEFORE_SLEEP_MS = 3_000

export class Availability {
  readonly #options: AvailabilityOptions
  readonly #awake: KeepAwake
  #permission: Verdict = { allowed: true }
  #power: Power = 'unknown'
  #isFallingAsleep = false
  #sleep: SleepWatch | undefined
  #stopAsking = (): void => {}

  constructor(options: AvailabilityOptions) {
    this.#options = options
    const { settings, world, say } = options
    this.#awake = createKeepAwake(settings.keepAwake ? world.startAwakeProcess : () => undefined, world.clock, () =>
      say("Can't keep this machine awake while jobs run"),
    )
  }

  get permission(): Verdict {
    return this.#permission
  }

  async start(): Promise<void> {
    const { world, device, signal } = this.#options
    await this.#askPower()
    if (signal.aborted) return
    this.look()
    this.#stopAsking = world.clock.every(POWER_MS, () => void this.#askPower())
    const isBusy = (): boolean => device.jobs.running > 0
    this.#sleep = world.watchSleep({ onSleep: () => this.#turn(true), onWake: () => this.#turn(false), isBusy })
  }

  /** Call this often: the owner changes files, and time passes. */
  look(): void {
    const { path, settings, world } = this.#options
    const { hours, onlyOnMains } = settings
    const rules = { ...readControl(path), isFallingAsleep: this.#isFallingAsleep, hours, onlyOnMains }
    const permission = decidePermission(rules, world.clock.date(), this.#power)
    if (isDeepStrictEqual(permission, this.#permission)) return
    this.#permission = permission
    this.#options.onChange(permission)
    this.update()
    if (!permission.allowed) this.#clear(permission)
  }

  jobsRunning(count: number): void {
    this.#awake.jobsRunning(count)
  }

  /** Call this when the list of models has changed. */
  update(): void {
    const { device, serving, entries, signal } = this.#options
    const { permission } = this
    device.tell({ type: 'rest', ...(!permission.allowed && { rest: permission.rest }) })
    device.allow(permission.allowed)
    if (permission.allowed && !signal.aborted) serving.sync(entries())
    // After a sleep, the models are still in memory.
    if (!permission.allowed && permission.rest.reason !== 'sleep') void this.#unload()
  }

  stop(): void {
    this.#stopAsking()
    this.#sleep?.stop()
    this.#awake.stop()
  }

  #turn(isFallingAsleep: boolean): void {
    this.#isFallingAsleep = isFallingAsleep
    this.look()
  }

  async #askPower(): Promise<void> {
    const { settings, world } = this.#options
    if (settings.onlyOnMains) this.#power = await readPower(world.machine.platform, world.run)
  }

  #clear({ jobs, rest }: Ban): void {
    const { device, settings } = this.#options
    if (jobs === 'return') device.stopJobs()
    if (jobs === 'hand-over')
      void (rest.reason === 'sleep' ? this.#handOverAndSleep() : device.handOver(settings.drainSeconds * 1000))
  }

  async #handOverAndSleep(): Promise<void> {
    await this.#options.device.handOver(BEFORE_SLEEP_MS)
    this.#sleep?.letSleep()
  }

  /** Frees the memory as soon as the last job is done. */
  async #unload(): Promise<void> {
    const { device, serving } = this.#options
    await device.idle()
    if (!this.permission.allowed) serving.sync([])
  }
}
