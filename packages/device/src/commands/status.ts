// Prints the status of the running device, read from the file that it keeps up to date.

import { readStatus } from '../state/status-file.ts'
import { describeStatus } from '../terminal/describe-status.ts'
import type { Context } from './context.ts'

/** Differs from 1, so that scripts can tell it from an error. */
const NOT_RUNNING = 3

export function status({ isJson }: { isJson: boolean }, { state, world, screen }: Context): number {
  const now = new Date()
  const present = readStatus(state.status, now)
  if (isJson) {
    world.stdout.write(`${JSON.stringify(present ?? null)}\n`)
    return present === undefined ? NOT_RUNNING : 0
  }
  if (present === undefined) {
    screen.line('bad', 'The device app is not running → hearth-device start')
    return NOT_RUNNING
  }
  for (const { level, text } of describeStatus(present, now)) screen.line(level, text)
  return 0
}
