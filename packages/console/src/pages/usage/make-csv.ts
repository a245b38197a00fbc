// Usage as CSV. People and devices choose the names in it, so no cell may run as a formula.

import type { Schemas } from '../../api/client.ts'
import { saveFile } from '../../lib/save-file.ts'
import { seriesName } from './chart/make-series.ts'
import type { By } from './range.ts'

/** Spreadsheets treat cells that start like this as formulas. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

type Cell = string | number
/** A title, and what stands below it. */
type CsvColumn<Row> = readonly [title: string, cellOf: (row: Row) => Cell]

export function makeCsv({ points, sums }: Schemas['Usage'], by: By): string {
  const names = new Map(sums.map(({ id, name }) => [id, seriesName(id, name, by)]))
  const columns: CsvColumn<Schemas['Usage']['points'][number]>[] = [
    ['time', ({ at }) => at],
    [by, ({ id }) => names.get(id) ?? id],
    [`${by} id`, ({ id }) => id],
    ['requests', ({ requests }) => requests],
    ['errors', ({ errors }) => errors],
    ['tokens in', ({ promptTokens }) => promptTokens],
    ['tokens out', ({ completionTokens }) => completionTokens],
    ['wait ms', ({ waitMs }) => waitMs],
  ]
  return toCsv(columns, points)
}

const REQUEST_COLUMNS: readonly CsvColumn<Schemas['Request']>[] = [
  ['time', ({ at }) => at],
  ['request id', ({ id }) => id],
  ['status', ({ status }) => status],
  ['code', ({ code }) => code ?? ''],
  ['key', ({ key }) => key.name],
  ['key id', ({ key }) => key.id],
  ['model', ({ model }) => model],
  ['device', ({ device }) => device?.name ?? ''],
  ['device id', ({ device }) => device?.id ?? ''],
  ['tokens in', ({ promptTokens }) => promptTokens],
  ['tokens out', ({ completionTokens }) => completionTokens],
  ['wait ms', ({ waitMs }) => waitMs],
  ['first token ms', ({ firstTokenMs }) => firstTokenMs ?? ''],
  ['total ms', ({ totalMs }) => totalMs],
  ['attempts', ({ attempts }) => attempts],
  ['stream', ({ isStream }) => (isStream ? 'yes' : 'no')],
  ['sealed', ({ isSealed }) => (isSealed ? 'yes' : 'no')],
  ['taken over from', ({ takeOver }) => takeOver?.left.name ?? ''],
  ['pause ms', ({ takeOver }) => takeOver?.gapMs ?? ''],
]

export function makeRequestCsv(requests: readonly Schemas['Request'][]): string {
  return toCsv(REQUEST_COLUMNS, requests)
}

/** The byte order mark tells spreadsheets that it is UTF-8. */
export function downloadCsv(name: string, text: string): void {
  saveFile(name, `\uFEFF${text}`, 'text/csv')
}

function toCsv<Row>(columns: readonly CsvColumn<Row>[], rows: readonly Row[]): string {
  const lines = [columns.map(([title]) => title), ...rows.map((row) => columns.map(([, cellOf]) => cellOf(row)))]
  return lines.map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('')
}

function formatCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell
  return `"${harmless.replaceAll('"', '""')}"`
}
