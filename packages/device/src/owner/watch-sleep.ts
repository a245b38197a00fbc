// Chooses how this system tells that it is about to sleep.

import type { Clock } from '../clock.ts'
import type { RunCommand } from '../system/run-command.ts'
import { startProgram } from '../system/start-program.ts'
import { watchLinuxSleep } from './linux-sleep.ts'
import type { WatchSleep, SleepListener, SleepWatch } from './sleep-watch.ts'

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

// The lid of a MacBook. A program without a window can't ask the system to wait, but it runs for a moment after the lid was closed, which is
// enough to hand jobs over. Nobody asks while no job runs.
interface MacLidWorld {
  clock: Clock
  run: RunCommand
}

const LOOK_MS = 1_000
const ASK_MS = 5_000

export function watchMacLid({ clock, run }: MacLidWorld, listener: SleepListener): SleepWatch {
  let isClosed = false
  let isAsking = false
  const stop = clock.every(LOOK_MS, () => {
    if (!isAsking && (isClosed || listener.isBusy())) void look()
  })

  async function look(): Promise<void> {
    isAsking = true
    const { code, stdout } = await run('ioreg', ['-r', '-k', 'AppleClamshellState', '-d', '1'], { timeoutMs: ASK_MS })
    isAsking = false
    if (code === undefined) return stop()
    const wasClosed = isClosed
    isClosed = code === 0 && sleepsSoon(stdout)
    if (isClosed && !wasClosed) listener.onSleep()
    if (!isClosed && wasClosed) listener.onWake()
  }

  return { letSleep: () => {}, stop }
}

/** With an external display, a closed MacBook stays awake. */
function sleepsSoon(registry: string): boolean {
  return registry.includes('"AppleClamshellState" = Yes') && !registry.includes('"AppleClamshellCausesSleep" = No')
}
