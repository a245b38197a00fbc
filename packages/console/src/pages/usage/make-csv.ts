// Usage as a table for other programs. Names in it were chosen by people and devices.

import type { Shapes } from '../../api/client.ts'
import type { UsageQuestion } from '../../api/queries.ts'
import { nameOf } from './make-series.ts'

/** Spreadsheets run a cell that begins like this as a formula. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

export function makeCsv({ points, sums }: Shapes['Usage'], by: UsageQuestion['by']): string {
  const names = new Map(sums.map(({ id, name }) => [id, nameOf(id, name)]))
  const head = ['time', by, `${by} id`, 'requests', 'errors', 'tokens in', 'tokens out', 'wait ms']
  const rows = points.map(({ at, id, requests, errors, promptTokens, completionTokens, waitMs }) => [
    at,
    names.get(id) ?? id,
    id,
    requests,
    errors,
    promptTokens,
    completionTokens,
    waitMs,
  ])
  return [head, ...rows].map((cells) => `${cells.map(spell).join(',')}\r\n`).join('')
}

function spell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell
  return `"${harmless.replaceAll('"', '""')}"`
}
