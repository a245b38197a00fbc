// The commands that ask the running app: `status`, `pause`, `resume` and `unblock`. They exit with 3 if there is none.

import { writeJson } from '@hearth/command-line/files/write-atomic'
import { plural } from '@hearth/command-line/format'
import { fingerprintOf, readSealText } from '@hearth/sealing'
import { readControl, writeControl } from '../state/control-file.ts'
import { findPinned } from '../state/pinned-seal.ts'
import { readStatus } from '../state/status-file.ts'
import { describeStatus } from '../terminal/describe-status.ts'
import type { Context } from './context.ts'

/** Differs from 1, so that scripts can tell it from an error. */
export const NOT_RUNNING = 3

export function status({ isJson }: { isJson: boolean }, context: Context): number {
  const { state, world, screen } = context
  const now = new Date()
  const present = readStatus(state.status, now)
  if (isJson) {
    world.stdout.write(
      `${JSON.stringify({ isRunning: present !== undefined, pinnedSeal: findPinned(state.pinnedSeal), ...present })}\n`,
    )
    return present === undefined ? NOT_RUNNING : 0
  }
  if (present === undefined) return sayNotRunning(context)
  for (const { level, text } of describeStatus(present, now)) screen.line(level, text)
  screen.line('info', describePin(findPinned(state.pinnedSeal)))
  return 0
}

function describePin(seal: string | undefined): string {
  const key = seal === undefined ? undefined : readSealText(seal)?.publicKey
  if (key === undefined) return 'No seal is pinned: updates come from the gateway (see hearth-device seal)'
  return `Installs only code that the seal of your organization names: ${seal}, ${fingerprintOf(key).words}`
}

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

export function sayNotRunning({ screen, startCommand }: Context): number {
  screen.line('bad', `The device app is not running → ${startCommand}`)
  return NOT_RUNNING
}

export function unblock(context: Context): number {
  const { state, screen } = context
  const now = new Date()
  const status = readStatus(state.status, now)
  if (status === undefined) return sayNotRunning(context)
  const requests = status.models.reduce((sum, { blocked }) => sum + (blocked?.requests ?? 0), 0)
  // The app only looks whether the file has changed. The time is for people.
  writeJson(state.unblock, { at: now.toISOString() })
  screen.line('good', requests === 0 ? 'No request was blocked' : `${plural(requests, 'request')} accepted again`)
  return 0
}
