// Opens a store from a URL, with an up-to-date schema. Only this file knows which database is behind it.

import { accessQueries } from './access.ts'
import { announcementQueries } from './announcements.ts'
import { auditQueries } from './audit.ts'
import { connectPostgres } from './connect-postgres.ts'
import { createDatabase, type Connection } from './database.ts'
import { deviceCodeQueries } from './device-codes.ts'
import { deviceQueries } from './devices.ts'
import { enrolmentQueries } from './enrolments.ts'
import { invitationQueries } from './invitations.ts'
import { keyQueries } from './keys.ts'
import { memberQueries } from './members.ts'
import { migrate } from './migrate.ts'
import { modelQueries } from './models.ts'
import { organizationQueries } from './organizations.ts'
import { peopleQueries } from './people.ts'
import { connectEmbedded } from './embedded/connect-embedded.ts'
import { readableError, withReadableErrors } from './readable-errors.ts'
import { peerQueries } from './peers.ts'
import { StoreError } from './store-error.ts'
import type { Store } from './store.ts'
import { usageQueries } from './usage.ts'

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
  for (const each of [pool, accessPool, fleetPool]) each.on('error', options.onConnectionLost ?? (() => undefined))
  const database = createDatabase(connection)
  try {
    await migrate(database)
  } catch (error) {
    await close()
    throw readableError(error, 'open the store')
  }
  const store = withReadableErrors({
    ...accessQueries(database),
    ...announcementQueries(database),
    ...organizationQueries(database),
    ...memberQueries(database),
    ...invitationQueries(database),
    ...peopleQueries(database),
    ...keyQueries(database),
    ...modelQueries(database),
    ...deviceQueries(database),
    ...enrolmentQueries(database),
    ...deviceCodeQueries(database),
    ...usageQueries(database, options.keptRequests ?? KEPT_REQUESTS),
    ...auditQueries(database),
    ...peerQueries(database),
  })
  let closing: Promise<void> | undefined
  return { ...store, close: () => (closing ??= close()) }
}

export async function connectStore(
  url: string,
  onNotice: (text: string) => void = () => undefined,
): Promise<Connection> {
  const [, scheme, rest] = /^([a-z]+):(?:\/\/)?(.*)$/s.exec(url) ?? []
  // The embedded database was PGlite once, and people have its name in their settings.
  if ((scheme === 'embedded' || scheme === 'pglite') && rest) return connectEmbedded(rest, onNotice)
  if (scheme === 'postgres' || scheme === 'postgresql') return connectPostgres(url)
  // Don't quote the whole URL: it may contain a password.
  throw new StoreError(
    'failed',
    `Cannot open the store: set DATABASE_URL to embedded:<folder> or postgres://user:password@host/database, not "${scheme ?? url.slice(0, 16)}…"`,
  )
}
