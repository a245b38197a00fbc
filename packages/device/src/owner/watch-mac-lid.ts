// The lid of a MacBook. A program without a window can't ask the system to wait, but it runs for a moment after the lid was closed, which is
// enough to hand jobs over. Nobody asks while no job runs.

import type { Clock } from '../clock.ts'
import type { RunCommand } from '../system/run-command.ts'
import type { SleepListener, SleepWatch } from './sleep-listener.ts'

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
