// Whatever this process starts ends with it, even if it is killed: a gateway that a test has stopped, and the database of that gateway. They
// carry a mark in their environment, by which a shell finds them once its input ends, which nobody but this process holds.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'

/** Who gives a process another environment than its own passes this on. */
export const MARK = 'HEARTH_TEST_WORKER'

/** More than once, because what is about to start something may do so meanwhile. */
const END_MARKED = `
  read -r _
  for round in 1 2 3 4 5; do
    found=$(grep -lsF "$1" /proc/[0-9]*/environ | cut -d/ -f3)
    kill -KILL $found
    sleep 0.2
  done`

/** Only Linux shows the environment of a process to a shell. Elsewhere, what a killed worker leaves behind stays. */
export function endWithThisProcess(): void {
  const own = `${process.pid}-`
  if (process.platform !== 'linux' || process.env[MARK]?.startsWith(own)) return
  const mark = own + randomUUID()
  // A session of its own, which Ctrl-C doesn't reach.
  const guard = spawn('/bin/sh', ['-c', END_MARKED, 'sh', `${MARK}=${mark}`], {
    env: { PATH: process.env['PATH'] },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  guard.unref()
  guard.stdin.on('error', () => undefined)
  process.env[MARK] = mark
  // A worker whose vitest was killed has nobody left to work for.
  process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
}
