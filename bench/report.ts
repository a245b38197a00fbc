// Figures and the bars they have to stay under, as the benchmark prints them.

/** One line of the table. */
export interface Row {
  what: string
  /** The figure of each system, ready to print: `{ nginx: '19.3 µs', hearth: '105 µs' }`. */
  figures: Readonly<Record<string, string>>
  /** The promise of this line, if it has one. */
  bars?: readonly Bar[]
}

export interface Bar {
  /** Says what the number is, after it: `× nginx`, `KB`. */
  unit: string
  /** NaN if a peer to compare with is missing. */
  value: number
  most: number
}

export function printRow({ what, figures, bars = [] }: Row): void {
  const cells = Object.entries(figures).map(([system, figure]) => `${system} ${figure}`)
  console.log(`  ${what}: ${cells.join(' · ')}`)
  for (const bar of bars) console.log(`    ${formatBar(bar)}`)
}

/** A table for bench/README.md, and how many bars are met. */
export function printTable(rows: readonly Row[]): void {
  console.log('\n| what | figures | bars | |\n| --- | --- | --- | --- |')
  for (const { what, figures, bars = [] } of rows) {
    const cells = Object.entries(figures).map(([system, figure]) => `${system} ${figure}`)
    const limits = bars.map(({ value, unit, most }) => `${formatNumber(value)} ${unit} (bar: ${most})`)
    console.log(`| ${what} | ${cells.join('<br>')} | ${limits.join('<br>')} | ${bars.map(verdict).join('<br>')} |`)
  }
  const bars = rows.flatMap((row) => row.bars ?? [])
  const count = (wanted: string) => bars.filter((bar) => verdict(bar) === wanted).length
  console.log(`\n${count('met')} bars met, ${count('MISSED')} missed, ${count('not measured')} not measured`)
}

function formatBar(bar: Bar): string {
  return `${verdict(bar).padEnd(6)} ${formatNumber(bar.value)} ${bar.unit} (bar: ${bar.most})`
}

function verdict({ value, most }: Bar): 'met' | 'MISSED' | 'not measured' {
  if (Number.isNaN(value)) return 'not measured'
  return value <= most ? 'met' : 'MISSED'
}

function formatNumber(value: number): string {
  return value.toFixed(value < 1 ? 3 : value < 10 ? 2 : 1)
}
