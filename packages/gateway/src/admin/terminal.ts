// A command's access to the outside: the environment it reads and the two streams it writes.

import { escapeToOneLine, escapeUnprintable } from '../text/printable.ts'

export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>
  print: (text: string) => void
  printError: (text: string) => void
  /** Undefined if nobody is there to answer. */
  ask?: (question: string) => Promise<string>
}

/** The result of a command: text for people, a value for scripts. */
export interface Answer {
  text: string
  value: unknown
}

/** Names and versions come from devices and other people, and a terminal obeys escape codes: everything that is printed goes through here. */
export function withoutEscapeCodes({ environment, print, printError, ask }: Terminal): Terminal {
  return {
    environment,
    ...(ask && { ask: (question) => ask(escapeUnprintable(question)) }),
    print: (text) => print(escapeUnprintable(text)),
    printError: (text) => printError(escapeUnprintable(text)),
  }
}

type Cell = string | Date | undefined

/** Makes each column as wide as its widest cell, and formats dates and missing values for people. */
export function table<Row>(rows: readonly Row[], columns: Record<string, (row: Row) => Cell>): string {
  const padded = Object.entries(columns).map(([title, read]) => pad([title, ...rows.map((row) => show(read(row)))]))
  const lines = [undefined, ...rows].map((_, line) => padded.map((column) => column[line]).join('  '))
  return lines.map((line) => line.trimEnd()).join('\n')
}

function pad(cells: readonly string[]): string[] {
  const width = Math.max(...cells.map(({ length }) => length))
  return cells.map((cell) => cell.padEnd(width))
}

export function show(value: Cell): string {
  if (value === undefined || value === '') return '-'
  return value instanceof Date ? `${value.toISOString().slice(0, 16).replace('T', ' ')} UTC` : escapeToOneLine(value)
}
