// The database stops responding for longer than any single query may take, like PostgreSQL while it fails over to another server.

import { setTimeout } from 'node:timers/promises'
import { silenceDatabase } from '../../harness/silence-database.ts'
import type { Attack } from '../attack.ts'

/** Not a wait for anything: the outage itself. */
const OUTAGE_MS = 10_000

export const silentStore: Attack = {
  name: 'silent-store',
  from: 'inside',
  async run(system) {
    const wake = await silenceDatabase(system.folder)
    try {
      await setTimeout(OUTAGE_MS)
    } finally {
      wake()
    }
    return { outages: 1 }
  },
}
