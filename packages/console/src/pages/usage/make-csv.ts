// Usage as CSV. People and devices choose the names in it, so no cell may run as a formula.

import type { Shapes } from '../../api/client.ts'
import type { UsageQuestion } from '../../api/queries/usage.ts'
import { nameOf } from './chart/make-series.ts'

/** Spreadsheets treat cells that start like this as formulas. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/

export function makeCsv({ points, sums }: Shapes['Usage'], by: UsageQuestion['by']): string {
  const names = new Map(sums.map(({ id, name }) => [id, nameOf(id, name, by)]))
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
  return [head, ...rows].map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('')
}

function formatCell(cell: string | number): string {
  if (typeof cell === 'number') return String(cell)
  const harmless = FORMULA.test(cell) ? `'${cell}` : cell
  return `"${harmless.replaceAll('"', '""')}"`
}

const REQUEST_HEAD = [
  'time',
  'request id',
  'status',
  'code',
  'key',
  'key id',
  'model',
  'device',
  'device id',
  'tokens in',
  'tokens out',
  'wait ms',
  'first token ms',
  'total ms',
  'attempts',
  'stream',
  'sealed',
  'taken over from',
  'pause ms',
]

export function makeRequestCsv(requests: readonly Shapes['Request'][]): string {
  const rows = requests.map((one) => [
    one.at,
    one.id,
    one.status,
    one.code ?? '',
    one.key.name,
    one.key.id,
    one.model,
    one.device?.name ?? '',
    one.device?.id ?? '',
    one.promptTokens,
    one.completionTokens,
    one.waitMs,
    one.firstTokenMs ?? '',
    one.totalMs,
    one.attempts,
    one.isStream ? 'yes' : 'no',
    one.isSealed ? 'yes' : 'no',
    one.takeOver?.left.name ?? '',
    one.takeOver?.gapMs ?? '',
  ])
  return [REQUEST_HEAD, ...rows].map((cells) => `${cells.map(formatCell).join(',')}\r\n`).join('')
}
