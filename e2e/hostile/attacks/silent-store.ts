// The database stops responding for longer than any single query may take, like PostgreSQL while it fails over to another server.

import { setTimeout } from 'node:timers/promises'
import { descendantsOf } from '../../harness/process-tree.ts'
import type { Attack } from '../attack.ts'

/** Not a wait for anything: the outage itself. */
const OUTAGE_MS = 10_000

export const silentStore: Attack = {
  name: 'silent-store',
  from: 'inside',
  async run(system) {
    const processes = await descendantsOf(system.gateway.pid)
    const database = processes.filter(({ command }) => /bin\/postgres|^postgres:/.test(command))
    if (database.length === 0) throw new Error('The gateway has no database process')
    for (const { pid } of database) process.kill(pid, 'SIGSTOP')
    try {
      await setTimeout(OUTAGE_MS)
    } finally {
      for (const { pid } of database) process.kill(pid, 'SIGCONT')
    }
    return { outages: 1 }
  },
}
