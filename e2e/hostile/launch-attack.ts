// Runs an attack in a process of its own.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Target } from './attack.ts'
import type { Report } from './attacker/tally.ts'

const MAIN = fileURLToPath(new URL('attack-process.ts', import.meta.url))

/** Resolves when the attack is over. */
export async function launchAttack(attack: string, target: Target, signal: AbortSignal): Promise<Report> {
  const child = fork(MAIN, { execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const stop = () => child.kill('SIGKILL')
  signal.addEventListener('abort', stop, { once: true })
  process.once('exit', stop)
  const exited = once(child, 'exit').then(() => {
    throw new Error(`The attacker "${attack}" ended without a report`)
  })
  exited.catch(() => {})
  child.send({ attack, target })
  try {
    const [report] = (await Promise.race([once(child, 'message'), exited])) as [Report]
    return report
  } finally {
    process.off('exit', stop)
    signal.removeEventListener('abort', stop)
  }
}
