import { openStore } from '@hearth/gateway/testing'
import type { System } from './start-system.ts'

const HOUR_MS = 3_600_000

/** The requests in the usage of home, read from the database. */
export async function countRequests(system: System): Promise<number> {
  const store = await openStore(`embedded:${system.folder}`)
  const range = { from: new Date(Date.now() - 2 * HOUR_MS), to: new Date(Date.now() + HOUR_MS) }
  const rows = await store.listUsage({ organization: system.organizations.home, ...range })
  await store.close()
  return rows.reduce((sum, row) => sum + row.requests, 0)
}
