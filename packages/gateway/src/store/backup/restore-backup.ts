// Puts a backup into a database that holds nothing yet: the embedded one or any PostgreSQL. All of it happens in one transaction, so that a file
// that turns out to be damaged, or a process that is killed, leaves nothing behind. The tables are made as they were when the backup was
// written, and then brought up to date as at every start.

import { createReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import { sql, type SQL } from 'drizzle-orm'
import { newerVersion } from '../../own-version.ts'
import { createDatabase, type Handle } from '../database/database.ts'
import { migrate, migrateTo, newestMigration } from '../database/migrate.ts'
import { readableError } from '../database/readable-errors.ts'
import { StoreError } from '../database/store-error.ts'
import { connectStore } from '../open-store.ts'
import { BackupError, readLines, type Head, type Line } from './backup-lines.ts'
import { listTables, readSchema } from './tables-in-order.ts'
import type { Progress } from './write-backup.ts'

export interface Restored {
  head: Head
  rows: number
}

/** Some rows are large. */
const MOST_CHARACTERS_AT_ONCE = 1_000_000

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
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of stream) {
    const pieces = (rest + decoder.decode(chunk as Buffer, { stream: true })).split('\n')
    rest = pieces.pop() ?? ''
    yield* pieces
  }
}

async function readHead(lines: AsyncGenerator<Line>, path: string): Promise<Head> {
  try {
    const { value } = await lines.next()
    if (value?.kind !== 'head') throw new BackupError('it is not a backup of Hearth')
    if (value.head.schema <= newestMigration()) return value.head
    throw new BackupError(newerVersion('how backups are laid out', value.head.hearth))
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
  const loader = new Loader(transaction, new Set(tables), onProgress)
  for await (const line of lines) await loader.take(line)
  await forEach(transaction, tables, (table) => sql`alter table ${table} enable trigger user`)
  return loader.rows
}

async function forEach(transaction: Handle, tables: readonly string[], statement: (table: SQL) => SQL): Promise<void> {
  for (const table of tables) await transaction.execute(statement(sql`${sql.identifier(table)}`))
}

class Loader {
  readonly #transaction: Handle
  readonly #tables: ReadonlySet<string>
  readonly #onProgress: ((progress: Progress) => void) | undefined
  #table = ''
  #waiting: string[] = []
  #characters = 0
  rows = 0

  constructor(transaction: Handle, tables: ReadonlySet<string>, onProgress?: (progress: Progress) => void) {
    this.#transaction = transaction
    this.#tables = tables
    this.#onProgress = onProgress
  }

  async take(line: Line): Promise<void> {
    if (line.kind === 'row') return await this.#takeRow(line.json)
    await this.#flush()
    if (line.kind === 'table') this.#table = this.#known(line.name)
    if (line.kind === 'sequence')
      await this.#transaction.execute(
        sql`select setval(format('public.%I', ${line.name}::text)::regclass, ${line.last}::bigint)`,
      )
  }

  #known(name: string): string {
    if (this.#tables.has(name)) return name
    throw new BackupError(`it has a table "${name}", which Hearth does not know`)
  }

  async #takeRow(json: string): Promise<void> {
    this.rows++
    this.#waiting.push(json)
    this.#characters += json.length
    if (this.#characters > MOST_CHARACTERS_AT_ONCE) await this.#flush()
  }

  async #flush(): Promise<void> {
    if (this.#waiting.length === 0) return
    const table = sql.identifier(this.#table)
    const rows = `[${this.#waiting.join(',')}]`
    await this.#transaction.execute(
      sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${rows}::json)`,
    )
    this.#waiting = []
    this.#characters = 0
    this.#onProgress?.({ table: this.#table, rows: this.rows })
  }
}
