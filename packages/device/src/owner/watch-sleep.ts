// Chooses how this system tells that it is about to sleep.

import type { Clock } from '../clock.ts'
import type { RunCommand } from '../system/run-command.ts'
import { startProgram } from '../system/start-program.ts'
import type { WatchSleep } from './sleep-listener.ts'
import { watchLinuxSleep } from './watch-linux-sleep.ts'
import { watchMacLid } from './watch-mac-lid.ts'

export interface SleepWorld {
  clock: Clock
  run: RunCommand
}

/** Windows tells only programs with a window, or through a PowerShell that keeps running, which isn't worth its memory. */
export function watchSleep(platform: NodeJS.Platform, { clock, run }: SleepWorld): WatchSleep {
  if (platform === 'linux') return (listener) => watchLinuxSleep({ clock, start: startProgram }, listener)
  if (platform === 'darwin') return (listener) => watchMacLid({ clock, run }, listener)
  return () => undefined
}
