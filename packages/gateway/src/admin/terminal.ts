// What a command is given of the world: the environment it reads, and the two places it writes to.

export interface Terminal {
  environment: Readonly<Record<string, string | undefined>>
  print: (text: string) => void
  complain: (text: string) => void
}

/** What a command found or did: text for people, a value for programs. */
export interface Answer {
  text: string
  value: unknown
}

type Cell = string | Date | undefined

/** Columns as wide as their widest cell; dates and absent values as people write them. */
export function table<Row>(rows: readonly Row[], columns: Record<string, (row: Row) => Cell>): string {
  const cells = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((read) => show(read(row))))]
  const widths = cells[0]!.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)))
  return cells
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function show(value: Cell): string {
  if (value === undefined || value === '') return '-'
  return value instanceof Date ? `${value.toISOString().slice(0, 16).replace('T', ' ')} UTC` : value
}
