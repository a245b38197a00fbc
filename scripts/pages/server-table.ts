// What was seen of each real server (`npm run servers` keeps it), field by field.

import { readFileSync } from 'node:fs'
import { table } from './markdown.ts'

const RESULTS = new URL('../../e2e/servers/results.json', import.meta.url)

interface Column {
  title: string
  version: string
  date: string
  cells: Readonly<Record<string, { verdict: 'yes' | 'limit' | 'wrong'; note: string }>>
}

const SIGNS = { yes: 'yes', limit: 'no', wrong: 'FAILS' } as const

/** No package registry has LM Studio. */
const LM_STUDIO: Column = {
  title: 'LM Studio',
  version: '',
  date: 'by documentation',
  cells: Object.fromEntries(
    Object.entries({
      text: 'yes',
      max_tokens: 'yes',
      stop: 'yes',
      usage: 'yes',
      n: 'yes',
      logprobs: 'no',
      logit_bias: 'no',
      reasoning_effort: 'yes',
      json_object: 'yes',
      json_schema: 'yes',
      tools: 'yes',
    } as const).map(([field, sign]) => [field, { verdict: sign === 'no' ? 'limit' : 'yes', note: '' }]),
  ),
}

const FIELDS = new Set(Object.keys(LM_STUDIO.cells).filter((field) => field !== 'text' && field !== 'usage'))

export function serverTable(): string {
  const seen = Object.values(JSON.parse(readFileSync(RESULTS, 'utf8')) as Record<string, Column>)
  const columns = [...seen, LM_STUDIO]
  const fields = [...new Set(columns.flatMap(({ cells }) => Object.keys(cells)))]
  const heads = columns.map(({ title, version, date }) => `${[title, version].filter(Boolean).join(' ')}, ${date}`)
  const rows = fields.map((field) => [rowTitle(field), ...columns.map((column) => cellOf(column, field))])
  return table(['What', ...heads], rows)
}

/** Fields of the interface stand as code. */
function rowTitle(field: string): string {
  return FIELDS.has(field) ? `\`${field}\`` : field
}

function cellOf({ cells }: Column, field: string): string {
  const cell = cells[field]
  if (cell === undefined) return ''
  return [SIGNS[cell.verdict], cell.note.replaceAll('|', '/')].filter(Boolean).join(': ')
}
