// What a database holds, table by table, to compare two of them.

import { connectStore } from '@hearth/gateway/testing'
import { figure, type Figure } from './week.ts'

/** A restore ends them. */
const ENDED = new Set(['session', 'verification', 'set_up_link', 'device_code', 'enrolment', 'invitation'])

/** The rows and a checksum of every table. */
export type Tables = Record<string, { rows: number; sum: string }>

export async function readTables(url: string): Promise<Tables> {
  const { pool, close } = await connectStore(url)
  try {
    const { rows: names } = await pool.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    )
    const tables: Tables = {}
    for (const { name } of names.filter((table) => !ENDED.has(table.name))) {
      // Versions of PostgreSQL, and systems, sort differently.
      const { rows } = await pool.query<{ rows: number; sum: string }>(
        `select count(*)::integer as rows, md5(coalesce(string_agg(each::text, E'\\n' order by each::text collate "C"), '')) as sum
         from "${name}" each`,
      )
      tables[name] = rows[0]!
    }
    return tables
  } finally {
    await close()
  }
}

/** Requests that were counted. */
export async function countUsage(url: string): Promise<number> {
  const { pool, close } = await connectStore(url)
  const { rows } = await pool.query<{ count: number }>(
    'select coalesce(sum(requests), 0)::integer as count from usage_hour',
  )
  await close()
  return rows[0]!.count
}

export function sameTables(what: string, expected: Tables, found: Tables): Figure {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  const others = names.filter((name) => !isSame(expected[name], found[name]))
  for (const name of others)
    console.log(`  ${name}: ${JSON.stringify(found[name])} instead of ${JSON.stringify(expected[name])}`)
  const rows = Object.values(found).reduce((sum, table) => sum + table.rows, 0)
  const text = `${names.length} tables, ${rows.toLocaleString('en-US')} rows, ${others.length} tables differ`
  return figure(what, text, others.length === 0)
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
