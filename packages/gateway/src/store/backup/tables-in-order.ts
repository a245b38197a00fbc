// What a backup has to hold, as the database itself tells: so no table can be forgotten.

import { sql } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'

/** The time of the last migration. Undefined if there was none. */
export async function readSchema(handle: Handle): Promise<number | undefined> {
  const { rows } = await handle.execute<{ found: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  )
  if (rows[0]?.found !== true) return undefined
  const last = await handle.execute<{ time: string | null }>(
    sql`select max(created_at) as time from drizzle.__drizzle_migrations`,
  )
  const time = last.rows[0]?.time
  return time === null || time === undefined ? undefined : Number(time)
}

/** A table comes after those that its rows refer to. */
export async function listTables(handle: Handle): Promise<string[]> {
  const { rows: tables } = await handle.execute<{ name: string }>(
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const { rows: references } = await handle.execute<{ from: string; to: string }>(
    sql`select child.relname as "from", parent.relname as "to" from pg_constraint
        join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
        where contype = 'f' and connamespace = 'public'::regnamespace`,
  )
  const ordered = new Set<string>()
  const place = (name: string) => {
    for (const { from, to } of references) if (from === name && to !== name && !ordered.has(to)) place(to)
    ordered.add(name)
  }
  for (const { name } of tables) place(name)
  return [...ordered]
}

/** Of each table. */
export async function listColumns(handle: Handle): Promise<Map<string, ReadonlySet<string>>> {
  const { rows } = await handle.execute<{ name: string; columns: string[] }>(
    sql`select table_name as name, json_agg(column_name) as columns from information_schema.columns
        where table_schema = 'public' group by 1`,
  )
  return new Map(rows.map(({ name, columns }) => [name, new Set(columns)]))
}

interface Sequence extends Record<string, unknown> {
  name: string
  last: string
}

/** Those that were used. */
export async function listSequences(handle: Handle): Promise<Sequence[]> {
  const { rows } = await handle.execute<Sequence>(
    sql`select sequencename as name, last_value::text as last from pg_sequences
        where schemaname = 'public' and last_value is not null order by 1`,
  )
  return rows
}
