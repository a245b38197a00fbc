// The handle that every query goes through, and the only way to run several queries in one transaction.

import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import type { Client, Pool, PoolClient } from 'pg'
import { fromDriver } from './driver-error.ts'

export interface Database {
  /** For single statements. Inside `transact`, use only the handle it passes in. */
  readonly query: Handle
  readonly transact: <Result>(work: (transaction: Handle) => Promise<Result>) => Promise<Result>
  /** For reading access, and nothing else: it has a connection of its own, so that no other query can delay a revocation. */
  readonly access: Handle
  /** For the leases of gateways, and nothing else. A connection that failed is not used again: a statement that got stuck would hold up the next one. */
  readonly fleet: <Result>(work: (handle: Handle) => Promise<Result>) => Promise<Result>
  /** The same in a transaction. */
  readonly transactFleet: <Result>(work: (transaction: Handle) => Promise<Result>) => Promise<Result>
  /** A connection of its own, with this name in the database's list of connections. */
  readonly openClient: (name?: string) => Client
}

export type Handle = NodePgDatabase

export interface Connection {
  pool: Pool
  /** A single connection. */
  accessPool: Pool
  /** A single connection, opened when it is needed. */
  fleetPool: Pool
  openClient: (name?: string) => Client
  close: () => Promise<void>
}

export function createDatabase({ pool, accessPool, fleetPool, openClient }: Omit<Connection, 'close'>): Database {
  return {
    query: drizzle({ client: pool }),
    transact: (work) => transact(pool, work),
    access: drizzle({ client: accessPool }),
    fleet: (work) => hold(fleetPool, (client) => work(drizzle({ client }))),
    transactFleet: (work) => transact(fleetPool, work),
    openClient,
  }
}

// Drizzle's own transaction() leaks the connection when "begin" fails, and does not listen for a connection that is lost halfway.
function transact<Result>(pool: Pool, work: (transaction: Handle) => Promise<Result>): Promise<Result> {
  return hold(pool, async (client) => {
    await fromDriver(client.query('begin'))
    const result = await work(drizzle({ client }))
    await fromDriver(client.query('commit'))
    return result
  })
}

async function hold<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await fromDriver(pool.connect())
  // A lost connection also fails the running query; without a listener, its error event would end the process.
  client.on('error', ignore)
  let failed = true
  try {
    const result = await work(client)
    failed = false
    return result
  } finally {
    client.off('error', ignore)
    // After a failure the connection is discarded, whatever state it is in, and the server rolls back.
    client.release(failed)
  }
}

function ignore(): void {}
