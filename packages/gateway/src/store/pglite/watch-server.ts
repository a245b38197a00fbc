// Ends the embedded database's process when it no longer responds. The database has no time limit for a statement, and while it runs one,
// it does nothing else: a statement without an end would stop it for good. After a kill, the next connection starts a new process.

import type { ChildProcess } from 'node:child_process'

export interface Patience {
  askMs: number
  /** How many questions in a row may go unanswered. They are counted instead of the time, which passes while a machine is asleep. */
  misses: number
}

/** As long as the store waits for a query: after that, nobody needs the answer. */
const PATIENCE: Patience = { askMs: 5_000, misses: 6 }

export function watchServer(child: ChildProcess, { askMs, misses } = PATIENCE): void {
  let unanswered = 0
  const timer = setInterval(() => {
    if (unanswered >= misses) child.kill('SIGKILL')
    else if (child.connected) child.send('still there?', () => undefined)
    unanswered += 1
  }, askMs).unref()
  child.on('message', () => (unanswered = 0))
  child.once('exit', () => clearInterval(timer))
}
