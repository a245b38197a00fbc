// Notices that the machine is about to sleep, because its lid was closed or its owner chose so, early enough to hand running jobs to other
// devices. A system that doesn't tell is no problem: its jobs continue elsewhere once the gateway misses the device.

import type { Clock } from '../clock.ts'
import type { RunCommand } from '../system/run-command.ts'
import { startProgram } from '../system/start-program.ts'
import { watchLinuxSleep } from './linux-sleep.ts'
import { watchMacLid } from './mac-lid.ts'

export interface SleepListener {
  onSleep: () => void
  onWake: () => void
  /** Whether jobs run. Asking the system can be left out while none do. */
  isBusy: () => boolean
}

export interface SleepWatch {
  /** The system waits a few seconds for this call after `onSleep`, if it can. */
  letSleep(): void
  stop(): void
}

export interface SleepWorld {
  clock: Clock
  run: RunCommand
}

export type WatchSleep = (listener: SleepListener) => SleepWatch | undefined

/** Windows tells only programs with a window, or through a permanent PowerShell, which would cost more than it gives. */
export function watchSleep(platform: NodeJS.Platform, { clock, run }: SleepWorld): WatchSleep {
  if (platform === 'linux') return (listener) => watchLinuxSleep({ clock, start: startProgram }, listener)
  if (platform === 'darwin') return (listener) => watchMacLid({ clock, run }, listener)
  return () => undefined
}
