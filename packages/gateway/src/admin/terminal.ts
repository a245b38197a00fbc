// What people read: without escape codes, in columns, and questions to them.

import type { CommandWorld, Given } from '@hearth/command-line/program/commands'
import { ask } from '@hearth/command-line/terminal/confirm'
import type { Output } from '@hearth/command-line/terminal/screen'
import { formatTable } from '@hearth/command-line/terminal/table'
import { escapeToOneLine, escapeUnprintable } from '../text/printable.ts'
import { InputError } from './input-error.ts'

/** Names and versions come from devices and other people, and a terminal obeys escape codes: everything that is printed goes through here. */
export function withoutEscapeCodes({ stdout, stderr, ...world }: CommandWorld): CommandWorld {
  const safe = (output: Output): Output => ({ write: (text) => output.write(escapeUnprintable(text)) })
  return { ...world, stdout: safe(stdout), stderr: safe(stderr) }
}

type Cell = string | Date | undefined

/** A field that is printed as it is, or what to print of a row. */
export type Column<Row> = CellField<Row> | ((row: Row) => Cell)
type CellField<Row> = { [Field in keyof Row]-?: Row[Field] extends Cell ? Field : never }[keyof Row]

/** What a command answers with a list: a table for people, in which dates and missing values are formatted. */
export function listing<Row>(rows: readonly Row[], columns: Record<string, Column<Row>>) {
  const cells = rows.map((row) => Object.values(columns).map((column) => formatCell(cellOf(row, column))))
  return { value: rows, text: formatTable([Object.keys(columns), ...cells]).trimEnd() }
}

function cellOf<Row>(row: Row, column: Column<Row>): Cell {
  return typeof column === 'function' ? column(row) : (row[column] as Cell)
}

export function formatCell(value: Cell): string {
  if (value === undefined || value === '') return '-'
  return value instanceof Date ? `${value.toISOString().slice(0, 16).replace('T', ' ')} UTC` : escapeToOneLine(value)
}

export const CONFIRMATION: Given = ['--yes', 'do not ask for confirmation, for scripts']

/** Asks the operator to type the name of what a command deletes. */
export async function confirmed({ stdin, stdout }: CommandWorld, yes: boolean, what: string, typed: string) {
  if (yes) return
  if (stdin?.isTTY !== true) throw new InputError(`This deletes ${what}. To confirm, add --yes`)
  const answer = await ask(`This deletes ${what}. To confirm, type ${typed}: `, stdin, stdout)
  if (answer.trim() !== typed) throw new InputError(`Nothing was deleted: you did not type ${typed}`)
}
