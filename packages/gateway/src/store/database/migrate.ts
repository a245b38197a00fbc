// Brings the schema up to date in one transaction, under a lock. Processes that start at the same moment on an empty database wait for each
// other instead of failing, and a failed migration leaves nothing behind.

import { fileURLToPath } from 'node:url'
import { sql } from 'drizzle-orm'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import type { Database, Handle } from './database.ts'

const FOLDER = fileURLToPath(new URL('../migrations', import.meta.url))
/** An arbitrary number that every version of Hearth has to share. */
const LOCK = 7_245_318_960

/** Up to the migration of this time, or all of them. */
export async function migrate(database: Database, upTo = Infinity): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: FOLDER }).filter(({ folderMillis }) => folderMillis <= upTo)
  await database.transact(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${LOCK})`)
    const applied = await readApplied(transaction)
    for (const migration of migrations) if (migration.folderMillis > applied) await apply(transaction, migration)
  })
}

/** The time of the last applied migration, stored where the migration tool looks for it. */
async function readApplied(transaction: Handle): Promise<number> {
  await transaction.execute(sql`create schema if not exists drizzle`)
  await transaction.execute(
    sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`,
  )
  const { rows } = await transaction.execute<{ last: string | null }>(
    sql`select max(created_at) as last from drizzle.__drizzle_migrations`,
  )
  return Number(rows[0]?.last ?? 0)
}

async function apply(transaction: Handle, migration: { sql: string[]; hash: string; folderMillis: number }) {
  for (const statement of migration.sql) await transaction.execute(sql.raw(statement))
  await transaction.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${migration.hash}, ${migration.folderMillis})`,
  )
}
