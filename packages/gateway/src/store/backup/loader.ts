// Writes the rows of a backup into their tables, and says which of them do not fit.

import { DrizzleQueryError, sql } from 'drizzle-orm'
import { errorCode } from '../../error-code.ts'
import type { Handle } from '../database/database.ts'
import { BackupError, damaged, type Line } from './backup-lines.ts'
import type { Progress } from './write-backup.ts'

/** Some rows are large. */
const MOST_CHARACTERS_AT_ONCE = 1_000_000
/** PostgreSQL's classes of errors that are about what a statement says: wrong data, broken references, unknown names. */
const ABOUT_DATA = /^(22|23|42)/

export class Loader {
  readonly #transaction: Handle
  /** Of each table. */
  readonly #columns: ReadonlyMap<string, ReadonlySet<string>>
  readonly #onProgress: ((progress: Progress) => void) | undefined
  #table: { name: string; columns: ReadonlySet<string> } | undefined
  #waiting: string[] = []
  #characters = 0
  rows = 0

  constructor(
    transaction: Handle,
    columns: ReadonlyMap<string, ReadonlySet<string>>,
    onProgress?: (progress: Progress) => void,
  ) {
    this.#transaction = transaction
    this.#columns = columns
    this.#onProgress = onProgress
  }

  async take(line: Line): Promise<void> {
    if (line.kind === 'row') return await this.#takeRow(line.json)
    await this.#flush()
    if (line.kind === 'table') this.#table = this.#known(line.name)
    if (line.kind === 'sequence') await this.#setSequence(line)
  }

  #known(name: string): { name: string; columns: ReadonlySet<string> } {
    const columns = this.#columns.get(name)
    if (columns) return { name, columns }
    throw new BackupError(`it has a table ${JSON.stringify(name)}, which Hearth does not know`)
  }

  async #setSequence({ name, last }: { name: string; last: string }): Promise<void> {
    await explainBadData(
      `the sequence ${JSON.stringify(name)} is not one of Hearth`,
      this.#transaction.execute(sql`select setval(format('public.%I', ${name}::text)::regclass, ${last}::bigint)`),
    )
  }

  async #takeRow(json: string): Promise<void> {
    if (!this.#table) throw damaged()
    const { name, columns } = this.#table
    const other = columnsOf(json, name).find((column) => !columns.has(column))
    if (other !== undefined)
      throw new BackupError(`its table "${name}" has a column ${JSON.stringify(other)}, which Hearth does not know`)
    this.rows++
    this.#waiting.push(json)
    this.#characters += json.length
    if (this.#characters > MOST_CHARACTERS_AT_ONCE) await this.#flush()
  }

  async #flush(): Promise<void> {
    if (!this.#table || this.#waiting.length === 0) return
    const { name } = this.#table
    const table = sql.identifier(name)
    const rows = `[${this.#waiting.join(',')}]`
    await explainBadData(
      badRows(name),
      this.#transaction.execute(
        sql`insert into ${table} select * from json_populate_recordset(null::${table}, ${rows}::json)`,
      ),
    )
    this.#waiting = []
    this.#characters = 0
    this.#onProgress?.({ table: name, rows: this.rows })
  }
}

function columnsOf(json: string, table: string): string[] {
  try {
    return Object.keys(JSON.parse(json) as object)
  } catch {
    throw new BackupError(badRows(table))
  }
}

function badRows(table: string): string {
  return `the rows of "${table}" are not as Hearth writes them`
}

async function explainBadData(reason: string, statement: Promise<unknown>): Promise<void> {
  try {
    await statement
  } catch (error) {
    const code = error instanceof DrizzleQueryError ? (errorCode(error.cause) ?? '') : ''
    // Its own message would quote the data.
    throw ABOUT_DATA.test(code) ? new BackupError(`${reason} (PostgreSQL: ${code})`) : error
  }
}
