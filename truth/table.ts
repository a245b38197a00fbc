// The result of one comparison: rows to read, and the bars that it has to meet.

export interface Table {
  columns: readonly string[]
  rows: readonly (readonly (string | number)[])[]
  bars: readonly { claim: string; isMet: boolean }[]
  /** Single cases that miss a bar. */
  notes: readonly string[]
  /** Other cases worth a look, printed with --details. */
  details: readonly string[]
}

export function printTable(name: string, { columns, rows, bars, notes, details }: Table, withDetails: boolean): string {
  const lines = [columns, ...rows].map((row) => row.map(String))
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)))
  const printed = lines.map((line) => line.map((cell, index) => align(cell, widths[index]!, index)).join('  '))
  const verdicts = bars.map(({ claim, isMet }) => `${isMet ? 'met   ' : 'MISSED'} ${claim}`)
  const listed = [...notes, ...(withDetails ? details : [])].map((note) => `- ${note}`)
  return [`\n${name}`, ...printed, ...listed, ...verdicts].join('\n')
}

// Names on the left, numbers on the right.
function align(cell: string, width: number, index: number): string {
  return index === 0 ? cell.padEnd(width) : cell.padStart(width)
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`
}
