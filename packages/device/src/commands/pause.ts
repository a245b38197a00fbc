// Tells the running app, or the next one to start, to stop serving for a while or to resume.

import { writeControl } from '../state/control-file.ts'
import { readStatus } from '../state/status-file.ts'
import { plural } from '../format.ts'
import type { Context } from './context.ts'

export function pause({ isNow }: { isNow: boolean }, { state, screen }: Context): void {
  writeControl(state.control, { isPaused: true, stopsJobs: isNow })
  const running = readStatus(state.status, new Date())?.jobs.running ?? 0
  const jobs =
    running === 0
      ? ''
      : isNow
        ? `, ${plural(running, 'running job')} returned to the gateway`
        : `, ${plural(running, 'running job')} will finish`
  screen.line('good', `Paused${jobs} → to serve again: hearth-device resume`)
}

export function resume({ state, screen }: Context): void {
  writeControl(state.control, { isPaused: false, stopsJobs: false })
  const isRunning = readStatus(state.status, new Date()) !== undefined
  screen.line('good', isRunning ? 'Serving again' : 'No longer paused → to serve: hearth-device start')
}
