// What the running device does, read from the file it refreshes.

import { readStatus } from '../state/status-file.ts'
import { describeStatus } from '../terminal/describe-status.ts'
import type { Context } from './context.ts'

/** Told apart from errors by scripts. */
const NOT_RUNNING = 3

export function status({ isJson }: { isJson: boolean }, { state, world, screen }: Context): number {
  const now = new Date()
  const present = readStatus(state.status, now)
  if (isJson) {
    world.stdout.write(`${JSON.stringify(present ?? null)}\n`)
    return present === undefined ? NOT_RUNNING : 0
  }
  if (present === undefined) {
    screen.line('bad', 'the device app does not run here → hearth-device start')
    return NOT_RUNNING
  }
  for (const { level, text } of describeStatus(present, now)) screen.line(level, text)
  return 0
}
