// The handle that every query goes through, and the only way to run several queries in one transaction.

import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'

export interface Database {
  /** For single statements. Inside `transact`, use only the handle it passes in: the embedded database has a single connection. */
  readonly query: Handle
  readonly transact: <Result>(work: (transaction: Handle) => Promise<Result>) => Promise<Result>
  /** For reading access, and nothing else: it has a connection of its own, so that no other query can delay a revocation. */
  readonly access: Handle
}

export type Handle = NodePgDatabase

export interface Connection {
  pool: Pool
  /** A single connection. */
  accessPool: Pool
  close: () => Promise<void>
}

export function createDatabase({ pool, accessPool }: Pick<Connection, 'pool' | 'accessPool'>): Database {
  return {
    query: drizzle({ client: pool }),
    transact: (work) => transact(pool, work),
    access: drizzle({ client: accessPool }),
  }
}

// Drizzle's own transaction() leaks the connection when "begin" fails, and does not listen for a connection that is lost halfway.
async function transact<Result>(pool: Pool, work: (transaction: Handle) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  // A lost connection also fails the running query; without a listener, its error event would end the process.
  client.on('error', ignore)
  let failed = true
  try {
    await client.query('begin')
    const result = await work(drizzle({ client }))
    await client.query('commit')
    failed = false
    return result
  } finally {
    client.off('error', ignore)
    // After a failure the connection is discarded, whatever state it is in, and the server rolls back.
    client.release(failed)
  }
}

function ignore(): void {}
