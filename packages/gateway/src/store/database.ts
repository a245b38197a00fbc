// The handle every query goes through, and the only way to run several of them as one.

import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Pool } from 'pg'

export interface Database {
  /** For single statements. Inside `transact` only the handle it gives may be used: the embedded database has one connection. */
  readonly query: Handle
  readonly transact: <Result>(work: (transaction: Handle) => Promise<Result>) => Promise<Result>
}

export type Handle = NodePgDatabase

export interface Connection {
  pool: Pool
  close: () => Promise<void>
}

export function createDatabase(pool: Pool): Database {
  return { query: drizzle({ client: pool }), transact: (work) => transact(pool, work) }
}

// Drizzle's own transaction() loses the connection when "begin" fails, and does not listen for a connection that dies in between.
async function transact<Result>(pool: Pool, work: (transaction: Handle) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  // The death of the connection also fails the running query; without a listener it would end the process.
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
    // A failed transaction ends with its connection, whatever state it was left in: the server rolls back.
    client.release(failed)
  }
}

function ignore(): void {}
