// The answer of commands that ask the running app, if there is none.

import type { Context } from '../context.ts'

/** Differs from 1, so that scripts can tell it from an error. */
export const NOT_RUNNING = 3

export function sayNotRunning({ screen, startCommand }: Context): number {
  screen.line('bad', `The device app is not running → ${startCommand}`)
  return NOT_RUNNING
}
