// Puts a backup into a database that holds nothing yet: the embedded one or any PostgreSQL. All of it happens in one transaction, so that a file
// that turns out to be damaged, or a process that is killed, leaves nothing behind. The tables are made as they were when the backup was
// written, and then brought up to date as at every start.

import { createReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import { sql, type SQL } from 'drizzle-orm'
import { newerVersion } from '../../own-version.ts'
import { createDatabase, type Handle } from '../database/database.ts'
import { isMigration, migrate, migrateTo, newestMigration } from '../database/migrate.ts'
import { readableError } from '../database/readable-errors.ts'
import { StoreError } from '../database/store-error.ts'
import { connectStore } from '../open-store.ts'
import { BackupError, damaged, readLines, type Head, type Line } from './backup-lines.ts'
import { endShortLived } from './end-short-lived.ts'
import { Loader } from './loader.ts'
import { listColumns, listTables, readSchema } from './tables-in-order.ts'
import type { Progress } from './write-backup.ts'

export interface Restored {
  head: Head
  rows: number
}

/** The largest row is one with a signed list. */
const LONGEST_LINE = 2 ** 26

export async function restoreBackup(
  url: string,
  path: string,
  onProgress?: (progress: Progress) => void,
): Promise<Restored> {
  const lines = readFile(path)
  // Nothing is connected to, let alone made, for a file that is no backup.
  const head = await readHead(lines, path)
  const { close, ...connection } = await connectStore(url)
  try {
    const database = createDatabase(connection)
    const rows = await database.transact(async (transaction) => {
      await checkEmpty(transaction, head)
      await migrateTo(transaction, head.schema)
      return await load(transaction, lines, onProgress)
    })
    await migrate(database)
    return { head, rows }
  } catch (error) {
    throw explain(error, path)
  } finally {
    await close()
  }
}

function explain(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error
  if (error instanceof BackupError) return new StoreError('failed', `Cannot restore ${path}: ${error.message}`)
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return new StoreError('unknown', `Cannot restore ${path}: there is no such file`)
  if (code?.startsWith('Z') === true || code?.startsWith('ERR_') === true)
    return new StoreError('failed', `Cannot restore ${path}: it is not a complete backup of Hearth (${message})`)
  return readableError(error, `restore ${path}`)
}

async function* readFile(path: string): AsyncGenerator<Line> {
  const text = createReadStream(path).on('error', (error) => unpacked.destroy(error))
  const unpacked = createZstdDecompress()
  yield* readLines(splitLines(text.pipe(unpacked)))
}

async function* splitLines(stream: NodeJS.ReadableStream): AsyncGenerator<string> {
  let rest: string[] = []
  let length = 0
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    const pieces = decoder.decode(chunk as Buffer, { stream: true }).split('\n')
    const last = pieces.pop() ?? ''
    for (const piece of pieces) {
      yield [...rest, piece].join('')
      rest = []
      length = 0
    }
    rest.push(last)
    length += last.length
    // A small file may unpack to a line that no memory holds.
    if (length > LONGEST_LINE) throw damaged()
  }
  if (length > 0) throw new BackupError('it is not complete')
}

async function readHead(lines: AsyncGenerator<Line>, path: string): Promise<Head> {
  try {
    const { value } = await lines.next()
    if (value?.kind !== 'head') throw new BackupError('it is not a backup of Hearth')
    const { schema, hearth } = value.head
    if (schema > newestMigration()) throw new BackupError(newerVersion('how backups are laid out', hearth))
    if (!isMigration(schema)) throw damaged()
    return value.head
  } catch (error) {
    throw explain(error, path)
  }
}

async function checkEmpty(transaction: Handle, { schema }: Head): Promise<void> {
  const found = await readSchema(transaction)
  if (found === undefined) return
  const { rows } = await transaction.execute<{ used: boolean }>(
    sql`select exists (select from organization) or exists (select from person) as used`,
  )
  if (rows[0]?.used === true)
    throw new StoreError(
      'conflict',
      'Cannot restore: this database is in use. Name an empty folder with --data, or an empty database with DATABASE_URL',
    )
  if (await isServed(transaction))
    throw new StoreError('conflict', 'Cannot restore: a gateway is using this database. Stop it first')
  if (found > schema)
    throw new StoreError(
      'conflict',
      'Cannot restore: the tables of this database are newer than the backup. Name an empty folder with --data, or a database without tables with DATABASE_URL',
    )
}

/** A gateway keeps what it has read of an empty database in memory. */
async function isServed(transaction: Handle): Promise<boolean> {
  const { rows } = await transaction.execute<{ served: boolean }>(
    sql`select exists (select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and application_name like 'hearth%') as served`,
  )
  return rows[0]?.served === true
}

async function load(transaction: Handle, lines: AsyncIterable<Line>, onProgress?: (progress: Progress) => void) {
  const tables = await listTables(transaction)
  // Triggers note changes, which these are not. Some migrations leave rows.
  await forEach(transaction, tables, (table) => sql`alter table ${table} disable trigger user`)
  await transaction.execute(
    sql`truncate ${sql.join(
      tables.map((table) => sql.identifier(table)),
      sql`, `,
    )}`,
  )
  const loader = new Loader(transaction, await listColumns(transaction), onProgress)
  for await (const line of lines) await loader.take(line)
  await endShortLived(transaction)
  await forEach(transaction, tables, (table) => sql`alter table ${table} enable trigger user`)
  return loader.rows
}

async function forEach(transaction: Handle, tables: readonly string[], statement: (table: SQL) => SQL): Promise<void> {
  for (const table of tables) await transaction.execute(statement(sql`${sql.identifier(table)}`))
}
