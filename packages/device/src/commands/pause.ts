// Tells the running app, or the next one, to stop serving for a while, or to go on.

import { writeControl } from '../state/control-file.ts'
import { readStatus } from '../state/status-file.ts'
import { plural } from '../terminal/format.ts'
import type { Context } from './context.ts'

export function pause({ isNow }: { isNow: boolean }, { state, screen }: Context): void {
  writeControl(state.control, { isPaused: true, stopsJobs: isNow })
  const running = readStatus(state.status, new Date())?.jobs.running ?? 0
  const jobs =
    running === 0
      ? ''
      : isNow
        ? `; ${plural(running, 'job')} given back`
        : `; ${plural(running, 'running job')} may finish`
  screen.line('good', `paused${jobs}; hearth-device resume goes on`)
}

export function resume({ state, screen }: Context): void {
  writeControl(state.control, { isPaused: false, stopsJobs: false })
  const isRunning = readStatus(state.status, new Date()) !== undefined
  screen.line('good', isRunning ? 'serving again' : 'no longer paused; hearth-device start serves')
}
