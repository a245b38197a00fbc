// What a backup consists of: a compressed text of one JSON value a line, which any tool can read. Rows are objects, as PostgreSQL itself writes
// and reads them, so that no type loses anything; everything else is an array. The last line carries the digest of all the others.

import { createHash, type Hash } from 'node:crypto'

/** Raise this when older versions could not read the lines. */
const FORMAT = 1

export interface Head {
  /** The time of the last migration of the tables. */
  schema: number
  /** The version that wrote the backup. */
  hearth: string
  /** When everything in the backup was true at once. */
  at: string
  /** What opens the encrypted secrets. Only in backups that were made with it. */
  keys?: string[]
}

export type Line =
  | { kind: 'head'; head: Head }
  | { kind: 'table'; name: string }
  | { kind: 'row'; json: string }
  | { kind: 'sequence'; name: string; last: string }
  | { kind: 'end'; rows: number }

export class BackupError extends Error {
  override name = 'BackupError'
}

/** Turns lines into text, and ends with their digest. */
export class LineWriter {
  readonly #digest = createHash('sha256')
  rows = 0

  write(line: Exclude<Line, { kind: 'end' }>): string {
    if (line.kind === 'row') this.rows++
    return this.#digested(`${toText(line)}\n`)
  }

  end(): string {
    return `${JSON.stringify(['end', this.rows, this.#digest.digest('hex')])}\n`
  }

  #digested(text: string): string {
    this.#digest.update(text)
    return text
  }
}

function toText(line: Exclude<Line, { kind: 'end' }>): string {
  switch (line.kind) {
    case 'head':
      return JSON.stringify(['hearth backup', FORMAT, line.head])
    case 'table':
      return JSON.stringify(['table', line.name])
    case 'row':
      return line.json
    case 'sequence':
      return JSON.stringify(['sequence', line.name, line.last])
    default:
      return line satisfies never
  }
}

/** Reads the lines in their order, and rejects a text that is not complete or not as it was written. */
export async function* readLines(lines: AsyncIterable<string>): AsyncGenerator<Line> {
  const digest = createHash('sha256')
  let rows = 0
  let isFirst = true
  for await (const text of lines) {
    const line = readLine(text)
    if (isFirst && line.kind !== 'head') throw new BackupError('it is not a backup of Hearth')
    isFirst = false
    if (line.kind === 'row') rows++
    if (line.kind === 'end') {
      checkEnd(line, rows, digest)
      yield line
      return
    }
    digest.update(`${text}\n`)
    yield line
  }
  throw new BackupError('it is not complete')
}

function checkEnd(line: EndLine, rows: number, digest: Hash): void {
  if (line.rows !== rows || line.digest !== digest.digest('hex')) throw new BackupError('it is damaged')
}

type EndLine = Extract<Line, { kind: 'end' }> & { digest: string }

function readLine(text: string): Exclude<Line, { kind: 'end' }> | EndLine {
  if (text.startsWith('{')) return { kind: 'row', json: text }
  const [kind, first, second] = parse(text)
  if (kind === 'hearth backup') return { kind: 'head', head: readHead(first, second) }
  if (kind === 'table') return { kind, name: String(first) }
  if (kind === 'sequence') return { kind, name: String(first), last: String(second) }
  if (kind === 'end') return { kind, rows: Number(first), digest: String(second) }
  throw new BackupError('it is damaged')
}

function readHead(format: unknown, head: unknown): Head {
  if (format === FORMAT) return head as Head
  const { hearth } = head as Head
  throw new BackupError(
    `Hearth ${hearth} wrote it in a way that this version cannot read. Start that version or a later one`,
  )
}

function parse(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}
