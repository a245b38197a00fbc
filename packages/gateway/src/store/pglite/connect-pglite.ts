import { Socket } from 'node:net'
import { Pool, type PoolConfig } from 'pg'
import { BoundedPool } from '../bounded-pool.ts'
import type { Connection } from '../database.ts'
import { URGENT } from './serve-connections.ts'
import { ServerProcess } from './server-process.ts'

/** Long enough for a restart of the server after a crash, which syncs every file. */
const CONNECT_MS = 30_000
const QUERY_MS = 30_000

export async function connectPglite(folder: string): Promise<Connection> {
  const server = new ServerProcess(folder)
  await server.socket()
  const pool = new BoundedPool(configure(server, 'hearth'))
  const accessPool = new Pool(configure(server, URGENT))
  const fleetPool = new Pool(configure(server, 'hearth'))
  const close = async () => {
    await Promise.all([pool.end(), accessPool.end(), fleetPool.end()])
    await server.close()
  }
  return { pool, accessPool, fleetPool, close }
}

function configure(server: ServerProcess, name: string): PoolConfig {
  return {
    stream: () => new LateSocket(() => server.socket()),
    user: 'postgres',
    database: 'postgres',
    application_name: name,
    // The database does one thing at a time: more connections would wait inside it instead of here.
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
  }
}

/** Looks the server up only when it connects: by then the server may have moved, or may have to be started. */
class LateSocket extends Socket {
  readonly #path: () => Promise<string>

  constructor(path: () => Promise<string>) {
    super()
    this.#path = path
  }

  override connect(): this {
    this.#path().then(
      (path) => super.connect(path),
      (error: Error) => this.destroy(error),
    )
    return this
  }
}
