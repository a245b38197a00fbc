// Prints the status of the running device, read from the file that it keeps up to date.

import { readStatus } from '../state/status-file.ts'
import { describeStatus } from '../terminal/describe-status.ts'
import type { Context } from './context.ts'
import { NOT_RUNNING, sayNotRunning } from './running/not-running.ts'

export function status({ isJson }: { isJson: boolean }, context: Context): number {
  const { state, world, screen } = context
  const now = new Date()
  const present = readStatus(state.status, now)
  if (isJson) {
    world.stdout.write(`${JSON.stringify({ isRunning: present !== undefined, ...present })}\n`)
    return present === undefined ? NOT_RUNNING : 0
  }
  if (present === undefined) return sayNotRunning(context)
  for (const { level, text } of describeStatus(present, now)) screen.line(level, text)
  return 0
}
