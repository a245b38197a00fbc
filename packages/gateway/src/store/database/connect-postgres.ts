import { Client, Pool, type PoolConfig } from 'pg'
import { BoundedPool } from './bounded-pool.ts'
import type { Connection } from './database.ts'

const NAME = 'hearth'
const QUERY_MS = 30_000
/** Short, because the gateway has to notice that a server disappeared before it can find the next one. */
const ACCESS_MS = 5_000
/** Shorter than the lease of a gateway, which ends unless it is renewed in time. */
const FLEET_MS = 1_000

export function connectPostgres(url: string): Connection {
  return connectPools({ connectionString: url })
}

export function connectPools(server: PoolConfig): Connection {
  const pool = new BoundedPool({
    ...common(server, QUERY_MS),
    max: 8,
    connectionTimeoutMillis: 10_000,
  })
  const accessPool = new Pool({
    ...common(server, ACCESS_MS),
    max: 1,
    connectionTimeoutMillis: ACCESS_MS,
  })
  const fleetPool = new Pool({
    ...common(server, FLEET_MS),
    statement_timeout: FLEET_MS * 0.9,
    max: 1,
    connectionTimeoutMillis: FLEET_MS,
  })
  const openClient = (name = NAME) =>
    new Client({ ...common(server, ACCESS_MS), application_name: name, connectionTimeoutMillis: ACCESS_MS })
  const pools = [pool, accessPool, fleetPool]
  // A connection that is lost while nobody uses it is replaced. Without a listener, its error event would end the process.
  for (const each of pools) each.on('error', () => undefined)
  const close = async () => void (await Promise.all(pools.map((each) => each.end())))
  return { pool, accessPool, fleetPool, openClient, close }
}

function common(server: PoolConfig, queryMs: number): PoolConfig {
  return {
    ...server,
    application_name: NAME,
    keepAlive: true,
    query_timeout: queryMs,
    // The server gives up first, so that no statement keeps running without anyone waiting for it.
    statement_timeout: queryMs - 1_000,
    idle_in_transaction_session_timeout: queryMs,
  }
}
