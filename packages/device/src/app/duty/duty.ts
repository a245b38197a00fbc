// Carries out what the owner wants: whether the device takes jobs, which models are in memory, what happens to running jobs, and whether the
// machine stays awake for them.

import type { Clock } from '../../clock.ts'
import type { Device } from '../../device.ts'
import type { Machine } from '../../gpu/detect-gpu.ts'
import type { ModelEntry } from '../../models/registry/registry.ts'
import type { Say } from '../../news.ts'
import { createKeepAwake, type AwakeProcess, type KeepAwake } from '../../owner/keep-awake.ts'
import type { Verdict } from '../../owner/permission.ts'
import { readPower } from '../../owner/power.ts'
import type { WatchSleep } from '../../owner/sleep-watch.ts'
import type { Serving } from '../../serving/serving.ts'
import type { Settings } from '../../settings/settings.ts'
import type { RunCommand } from '../../system/run-command.ts'
import { OwnerWatch } from './owner-watch.ts'

export interface DutyWorld {
  clock: Clock
  machine: Machine
  run: RunCommand
  startAwakeProcess: () => AwakeProcess | undefined
  watchSleep: WatchSleep
}

export interface DutyOptions {
  /** The control file. */
  path: string
  settings: Pick<Settings, 'hours' | 'onlyOnMains' | 'keepAwake' | 'drainSeconds'>
  world: DutyWorld
  device: Pick<Device, 'tell' | 'allow' | 'idle' | 'jobs' | 'stopJobs' | 'handOver'>
  serving: Pick<Serving, 'sync'>
  entries: () => readonly ModelEntry[]
  say: Say
  onChange: (permission: Verdict) => void
  signal: AbortSignal
}

type Ban = Extract<Verdict, { allowed: false }>

/** Systems wait five seconds at most before they sleep. */
const BEFORE_SLEEP_MS = 3_000

export class Duty {
  readonly #options: DutyOptions
  readonly #owner: OwnerWatch
  readonly #awake: KeepAwake

  constructor(options: DutyOptions) {
    this.#options = options
    const { path, settings, world, device, say } = options
    this.#owner = new OwnerWatch({
      path,
      settings,
      clock: world.clock,
      readPower: () => readPower(world.machine.platform, world.run),
      watchSleep: world.watchSleep,
      isBusy: () => device.jobs.running > 0,
      onChange: (permission) => this.#permissionChanged(permission),
    })
    this.#awake = createKeepAwake(settings.keepAwake ? world.startAwakeProcess : () => undefined, world.clock, () =>
      say("Can't keep this machine awake while jobs run"),
    )
  }

  get permission(): Verdict {
    return this.#owner.permission
  }

  start(): Promise<void> {
    return this.#owner.start(this.#options.signal)
  }

  /** Call this often: the owner changes files, and time passes. */
  look(): void {
    this.#owner.look()
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
    this.#owner.stop()
    this.#awake.stop()
  }

  #permissionChanged(permission: Verdict): void {
    this.#options.onChange(permission)
    this.update()
    if (!permission.allowed) this.#clear(permission)
  }

  #clear({ jobs, rest }: Ban): void {
    const { device, settings } = this.#options
    if (jobs === 'return') device.stopJobs()
    if (jobs === 'hand-over')
      void (rest.reason === 'sleep' ? this.#handOverAndSleep() : device.handOver(settings.drainSeconds * 1000))
  }

  async #handOverAndSleep(): Promise<void> {
    await this.#options.device.handOver(BEFORE_SLEEP_MS)
    this.#owner.letSleep()
  }

  /** Frees the memory as soon as the last job is done. */
  async #unload(): Promise<void> {
    const { device, serving } = this.#options
    await device.idle()
    if (!this.permission.allowed) serving.sync([])
  }
}
