// Brings the schema up to date in one transaction, under a lock. Processes that start at the same moment on an empty database wait for each
// other instead of failing, and a failed migration leaves nothing behind.

import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { newerVersion, OWN_VERSION } from '../../own-version.ts'
import type { ClientBase, QueryConfig } from 'pg'
import type { Database, Handle } from './database.ts'
import { fromDriver } from './driver-error.ts'
import { StoreError } from './store-error.ts'

const FOLDER = fileURLToPath(new URL('../migrations', import.meta.url))
/** An arbitrary number that every version of Hearth has to share. */
const LOCK = 7_245_318_960
/** A large database takes minutes to bring up to date, and others that start meanwhile wait for it. */
const LONGEST_MS = 3_600_000

/** Rejects a database that a newer version has migrated. */
export async function migrate(database: Database): Promise<void> {
  await database.transact((transaction) => migrateTo(transaction, newestMigration()))
}

/** Brings the schema to what it was after the migration of this time. */
export async function migrateTo(transaction: Handle, last: number): Promise<void> {
  await transaction.execute(sql.raw(`set local statement_timeout = ${LONGEST_MS}`))
  await runLong(transaction, `select pg_advisory_xact_lock(${LOCK})`)
  const { time, hearth } = await readLast(transaction)
  if (time > last)
    throw new StoreError('failed', `Cannot open the store: ${newerVersion('the tables of the database', hearth)}`)
  for (const migration of readMigrations())
    if (migration.folderMillis > time && migration.folderMillis <= last) await apply(transaction, migration)
}

export function newestMigration(): number {
  return Math.max(...readMigrations().map(({ folderMillis }) => folderMillis))
}

/** Whether there was one at this time. */
export function isMigration(time: number): boolean {
  return readMigrations().some(({ folderMillis }) => folderMillis === time)
}

function readMigrations() {
  return readMigrationFiles({ migrationsFolder: FOLDER })
}

interface Applied {
  time: number
  /** The version that applied it. Earlier ones did not say. */
  hearth: string | undefined
}

/** The last applied migration, stored where the migration tool looks for it. */
async function readLast(transaction: Handle): Promise<Applied> {
  await transaction.execute(sql`create schema if not exists drizzle`)
  await transaction.execute(
    sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  )
  await transaction.execute(sql`alter table drizzle.__drizzle_migrations add column if not exists hearth text`)
  const { rows } = await transaction.execute<{ time: string; hearth: string | null }>(
    sql`select created_at as time, hearth from drizzle.__drizzle_migrations order by created_at desc limit 1`,
  )
  return { time: Number(rows[0]?.time ?? 0), hearth: rows[0]?.hearth ?? undefined }
}

async function apply(transaction: Handle, migration: { sql: string[]; hash: string; folderMillis: number }) {
  for (const statement of migration.sql) await runLong(transaction, statement)
  await transaction.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at, hearth) values (${migration.hash}, ${migration.folderMillis}, ${OWN_VERSION})`,
  )
}

/** Past the driver's own limit for a statement, which is meant for people who wait. */
async function runLong(transaction: Handle, text: string): Promise<void> {
  const { $client } = transaction as Handle & { $client: ClientBase }
  await fromDriver($client.query({ text, query_timeout: LONGEST_MS } as QueryConfig))
}
