// How much of the disk each table takes, with its indexes.

import { sql } from 'drizzle-orm'
import type { Database } from './database/database.ts'

export const tableSizeQueries = { tableSizes }

async function tableSizes({ query }: Database): Promise<{ table: string; bytes: number }[]> {
  const { rows } = await query.execute<{ table: string; bytes: string }>(sql`
    select relname as table, pg_total_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`)
  return rows.map(({ table, bytes }) => ({ table, bytes: Number(bytes) }))
}
