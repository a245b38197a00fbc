// Opens a store from a URL, with an up-to-date schema. Only this file knows which database is behind it.

import { connectPostgres } from './database/connect-postgres.ts'
import { createDatabase, type Connection } from './database/database.ts'
import { migrate } from './database/migrate.ts'
import { readableError } from './database/readable-errors.ts'
import { StoreError } from './database/store-error.ts'
import { connectEmbedded } from './embedded/connect-embedded.ts'
import { createStore, type Store } from './store.ts'

export interface StoreOptions {
  /** An idle connection was lost. The next query opens a new one. */
  onConnectionLost?: (error: Error) => void
  /** Requests that are listed, per organization. The same for everyone who opens this store. */
  keptRequests?: number
  /** Something about the embedded database that a person should know. */
  onNotice?: (text: string) => void
}

const KEPT_REQUESTS = 100_000

/** `embedded:<folder>` or `postgres://…` */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const { close, ...connection } = await connectStore(url, options.onNotice)
  const { pool, accessPool, fleetPool } = connection
  if (options.onConnectionLost)
    for (const each of [pool, accessPool, fleetPool]) each.on('error', options.onConnectionLost)
  const database = createDatabase(connection)
  try {
    await migrate(database)
  } catch (error) {
    await close()
    throw readableError(error, 'open the store')
  }
  const store = createStore(database, options.keptRequests ?? KEPT_REQUESTS)
  let closing: Promise<void> | undefined
  return { ...store, close: () => (closing ??= close()) }
}

export async function connectStore(
  url: string,
  onNotice: (text: string) => void = () => undefined,
): Promise<Connection> {
  const [, scheme, rest] = /^([a-z]+):(?:\/\/)?(.*)$/s.exec(url) ?? []
  if (scheme === 'embedded' && rest) return connectEmbedded(rest, onNotice)
  if (scheme === 'postgres' || scheme === 'postgresql') return connectPostgres(url)
  // Don't quote the whole URL: it may contain a password.
  throw new StoreError(
    'failed',
    `Cannot open the store: set DATABASE_URL to embedded:<folder> or postgres://user:password@host/database, not "${scheme ?? url.slice(0, 16)}…"`,
  )
}
