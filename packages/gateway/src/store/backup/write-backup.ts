// Writes every row of the database to a file, while gateways go on working: all of it is read in one transaction, so it is what was true at one
// moment. It needs no program of PostgreSQL, whose versions would have to match.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { syncFolder } from '@hearth/command-line/files/sync-folder'
import { sql } from 'drizzle-orm'
import { OWN_VERSION } from '../../own-version.ts'
import { createDatabase, type Handle } from '../database/database.ts'
import { readableError } from '../database/readable-errors.ts'
import { StoreError } from '../database/store-error.ts'
import { connectStore } from '../open-store.ts'
import { LineWriter } from './backup-lines.ts'
import { listSequences, listTables, readSchema } from './tables-in-order.ts'

export interface BackupOptions {
  /** What opens the encrypted secrets, to be kept with them. */
  keys?: readonly string[]
  onProgress?: (progress: Progress) => void
}

export interface Progress {
  table: string
  /** Of all tables so far. */
  rows: number
}

export interface Written {
  rows: number
  bytes: number
}

const ROWS_AT_ONCE = 500

/** The file appears when it is complete. Nobody else can read it. */
export async function writeBackup(url: string, path: string, options: BackupOptions = {}): Promise<Written> {
  const { close, ...connection } = await connectStore(url)
  const unfinished = `${path}.${randomBytes(4).toString('hex')}.unfinished`
  try {
    const writer = new LineWriter()
    await createDatabase(connection).transact(async (transaction) => {
      await transaction.execute(sql`set transaction isolation level repeatable read, read only`)
      await writeFile(unfinished, readEverything(transaction, writer, options))
    })
    return { rows: writer.rows, bytes: await finish(unfinished, path) }
  } catch (error) {
    await rm(unfinished, { force: true })
    throw readableError(error, `back up to ${path}`)
  } finally {
    await close()
  }
}

async function writeFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  await pipeline(Readable.from(lines), createZstdCompress(), file.createWriteStream({ flush: true }))
}

/** On the disk when this returns. A file of the same name is not replaced: it may be the only good one. */
async function finish(unfinished: string, path: string): Promise<number> {
  if (existsSync(path)) throw new StoreError('conflict', `Cannot back up to ${path}: there is such a file already`)
  // In one step, so that there is never a file of this name that is not complete.
  await rename(unfinished, path)
  syncFolder(dirname(path))
  return (await stat(path)).size
}

async function* readEverything(
  transaction: Handle,
  writer: LineWriter,
  { keys, onProgress }: BackupOptions,
): AsyncGenerator<string> {
  const schema = await readSchema(transaction)
  if (schema === undefined) throw new StoreError('unknown', 'Cannot back up: this database holds nothing of Hearth yet')
  const head = { schema, hearth: OWN_VERSION, at: new Date().toISOString(), ...(keys && { keys: [...keys] }) }
  yield writer.write({ kind: 'head', head })
  for (const table of await listTables(transaction)) {
    yield writer.write({ kind: 'table', name: table })
    for await (const rows of readTable(transaction, table)) {
      yield rows.map((json) => writer.write({ kind: 'row', json })).join('')
      onProgress?.({ table, rows: writer.rows })
    }
  }
  for (const { name, last } of await listSequences(transaction)) yield writer.write({ kind: 'sequence', name, last })
  yield writer.end()
}

async function* readTable(transaction: Handle, table: string): AsyncGenerator<string[]> {
  const name = sql.identifier(table)
  await transaction.execute(
    sql`declare reading no scroll cursor for select row_to_json(each)::text as json from ${name} each`,
  )
  for (;;) {
    const { rows } = await transaction.execute<{ json: string }>(sql.raw(`fetch ${ROWS_AT_ONCE} from reading`))
    if (rows.length === 0) break
    yield rows.map(({ json }) => json)
  }
  await transaction.execute(sql`close reading`)
}
