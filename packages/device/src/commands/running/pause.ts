// Tells the running app to stop serving for a while, or to resume.

import { readControl, writeControl } from '../../state/control-file.ts'
import { readStatus } from '../../state/status-file.ts'
import { plural } from '@hearth/command-line/format'
import type { Context } from '../context.ts'
import { sayNotRunning } from './not-running.ts'

export function pause({ isNow }: { isNow: boolean }, context: Context): number {
  const { state, screen } = context
  const status = readStatus(state.status, new Date())
  if (status === undefined) return sayNotRunning(context)
  writeControl(state.control, { isPaused: true, stopsJobs: isNow })
  const { running } = status.jobs
  const jobs =
    running === 0
      ? ''
      : isNow
        ? `, ${plural(running, 'running job')} returned to the gateway`
        : `, ${plural(running, 'running job')} will finish`
  screen.line('good', `Paused${jobs} → to serve again: hearth-device resume`)
  return 0
}

/** Also for the next start: an app that was stopped while it was paused starts paused. */
export function resume(context: Context): number {
  const { state, screen, startCommand } = context
  const isRunning = readStatus(state.status, new Date()) !== undefined
  if (!isRunning && !readControl(state.control).isPaused) return sayNotRunning(context)
  writeControl(state.control, { isPaused: false, stopsJobs: false })
  screen.line('good', isRunning ? 'Serving again' : `No longer paused → to serve: ${startCommand}`)
  return 0
}
