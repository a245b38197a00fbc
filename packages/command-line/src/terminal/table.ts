// Aligns columns to their widest cell.

import { oneLine } from './screen.ts'

export function formatTable(rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(oneLine))
  const widths = (clean[0] ?? []).map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)))
  return clean
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
