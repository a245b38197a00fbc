// What a backup consists of: a compressed text of one JSON value a line, which any tool can read. Rows are objects, as PostgreSQL itself writes
// and reads them, so that no type loses anything; everything else is an array. The last line carries the digest of all the others.

import { createHash, type Hash } from 'node:crypto'
import { z } from 'zod'

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

/** A backup may come from anywhere, and its facts are printed. */
const VERSION = z.string().regex(/^[\w.+-]{1,64}$/)
const HEAD = z.object({
  schema: z.int().positive(),
  hearth: VERSION,
  at: z.iso.datetime(),
  // One a line in the file that they are written to.
  keys: z
    .array(z.string().regex(/^[^\p{Cc}]{1,1000}$/u))
    .min(1)
    .max(10)
    .exactOptional(),
}) satisfies z.ZodType<Head>

/** Those of the first kind, which are not objects. */
const OTHERS = z.union([
  z.tuple([z.literal('hearth backup'), z.unknown(), z.unknown()]),
  z.tuple([z.literal('table'), z.string()]),
  z.tuple([z.literal('sequence'), z.string(), z.string().regex(/^-?\d{1,19}$/)]),
  z.tuple([z.literal('end'), z.int(), z.string()]),
])

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
  let isOver = false
  for await (const text of lines) {
    if (isOver) throw damaged()
    const line = readLine(text, isFirst)
    isFirst = false
    if (line.kind === 'row') rows++
    isOver = line.kind === 'end'
    if (line.kind === 'end') checkEnd(line, rows, digest)
    else digest.update(`${text}\n`)
    yield line
  }
  if (!isOver) throw new BackupError('it is not complete')
}

function checkEnd(line: EndLine, rows: number, digest: Hash): void {
  if (line.rows !== rows || line.digest !== digest.digest('hex')) throw damaged()
}

type EndLine = Extract<Line, { kind: 'end' }> & { digest: string }

function readLine(text: string, isFirst: boolean): Exclude<Line, { kind: 'end' }> | EndLine {
  const other = text.startsWith('{') ? undefined : OTHERS.safeParse(parse(text)).data
  if (isFirst !== (other?.[0] === 'hearth backup'))
    throw isFirst ? new BackupError('it is not a backup of Hearth') : damaged()
  if (text.startsWith('{')) return { kind: 'row', json: text }
  if (!other) throw damaged()
  switch (other[0]) {
    case 'hearth backup':
      return { kind: 'head', head: readHead(other[1], other[2]) }
    case 'table':
      return { kind: 'table', name: other[1] }
    case 'sequence':
      return { kind: 'sequence', name: other[1], last: other[2] }
    case 'end':
      return { kind: 'end', rows: other[1], digest: other[2] }
    default:
      return other satisfies never
  }
}

function readHead(format: unknown, given: unknown): Head {
  if (format !== FORMAT) throw otherFormat(given)
  const { data: head } = HEAD.safeParse(given)
  if (!head) throw damaged()
  return head
}

/** Every format says which version wrote it. */
function otherFormat(given: unknown): BackupError {
  const { data } = z.object({ hearth: VERSION }).safeParse(given)
  if (!data) return damaged()
  return new BackupError(
    `Hearth ${data.hearth} wrote it in a way that this version cannot read. Start that version or a later one`,
  )
}

export function damaged(): BackupError {
  return new BackupError('it is damaged')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
