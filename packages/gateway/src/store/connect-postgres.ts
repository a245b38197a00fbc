import { Pool } from 'pg'
import type { Connection } from './database.ts'

const POOL_SIZE = 8
const CONNECT_MS = 10_000
const QUERY_MS = 30_000

export function connectPostgres(url: string): Connection {
  const pool = new Pool({
    connectionString: url,
    application_name: 'hearth',
    max: POOL_SIZE,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    // The server gives up first, so that no statement keeps running without anyone waiting for it.
    statement_timeout: QUERY_MS - 1_000,
    idle_in_transaction_session_timeout: QUERY_MS,
  })
  return { pool, close: () => pool.end() }
}
