// Moves all rows of an old PGlite database into a new cluster, and compares them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, type ClientConfig } from 'pg'
import { connectPools } from '../database/connect-postgres.ts'
import { createDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { DATABASE, USER, type Cluster } from './cluster.ts'
import type { FolderLayout } from './folder-layout.ts'
import { openPglite, type OldDatabase } from './open-pglite.ts'
import { choosePrivateAddress } from './private-address.ts'
import { runPostgres } from './run-postgres.ts'

export interface MoveRows {
  layout: FolderLayout
  unfinished: Cluster
  /** A copy of the old database. */
  copy: string
}

export interface Moved {
  rows: number
  tables: number
}

const PAGE = 1_000
/** Both sides write every value in the same way. */
const FORMAT = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex'`
const TABLES = `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
  where table_type = 'BASE TABLE' and table_schema in ('public', 'drizzle') order by name`
const SEQUENCES = `select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
  where last_value is not null`

export async function moveRows({ layout, unfinished, copy }: MoveRows): Promise<Moved> {
  const old = await openPglite(copy)
  // A socket of its own: a server that ends late, after an interruption, removes its socket.
  const socketFolder = join(unfinished.data, '..', 'socket')
  const address = await choosePrivateAddress({ ...layout, socketFolder }, unfinished.account)
  // Everything is synced at the end, at once.
  const server = await runPostgres(unfinished, { ...address.settings, fsync: 'off' })
  const password = readFileSync(layout.password, 'utf8')
  try {
    return await moveInto({ host: address.host, port: address.port, user: USER, database: DATABASE, password }, old)
  } finally {
    await server.stop()
    address.remove()
    await old.close()
  }
}

async function moveInto(config: ClientConfig, old: OldDatabase): Promise<Moved> {
  // Only what the old database has: its rows fit into no newer table. The store adds the rest when it opens.
  const { close, ...pools } = connectPools(config)
  try {
    await migrate(createDatabase(pools), await lastMigration(old))
  } finally {
    await close()
  }
  // Without the time limits of a pool: the rows may be many.
  const client = new Client(config)
  await client.connect()
  try {
    return await copyAll(old, client)
  } finally {
    await client.end()
  }
}

async function lastMigration(old: OldDatabase): Promise<number> {
  const [{ exists } = { exists: null }] = await old.query<{ exists: string | null }>(
    `select to_regclass('drizzle.__drizzle_migrations')::text as exists`,
  )
  if (exists === null) return 0
  const [row] = await old.query<{ last: string | null }>(
    'select max(created_at)::text as last from drizzle.__drizzle_migrations',
  )
  return Number(row?.last ?? 0)
}

async function copyAll(old: OldDatabase, client: Client): Promise<Moved> {
  await old.run(`${FORMAT}; begin`)
  await client.query(`${FORMAT}; begin; set local session_replication_role = replica`)
  const tables = (await old.query<{ name: string }>(TABLES)).map(({ name }) => name)
  // Migrations put some first rows into them.
  if (tables.length > 0) await client.query(`truncate ${tables.join(', ')}`)
  let rows = 0
  for (const table of tables) rows += await copyTable(old, client, table)
  for (const { name, last } of await old.query<{ name: string; last: string }>(SEQUENCES))
    await client.query('select setval($1::regclass, $2::bigint)', [name, last])
  await client.query('commit')
  await old.run('commit')
  return { rows, tables: tables.length }
}

/** A row travels as the text of a whole row, which is exact for every type. */
async function copyTable(old: OldDatabase, client: Client, table: string): Promise<number> {
  await old.run(`declare moving no scroll cursor for select t::text as row from ${table} t`)
  let count = 0
  for (;;) {
    const page = await old.query<{ row: string }>(`fetch ${PAGE} from moving`)
    if (page.length === 0) break
    await client.query(
      `insert into ${table} overriding system value
       select (whole).* from (select row::${table} as whole from unnest($1::text[]) as row offset 0) as rows`,
      [page.map(({ row }) => row)],
    )
    count += page.length
  }
  await old.run('close moving')
  await compare(old, client, table)
  return count
}

async function compare(old: OldDatabase, client: Client, table: string): Promise<void> {
  // The sum of all rows' digests, because the order of the rows may differ.
  const half = (from: number) => `coalesce(sum(('x' || substr(md5(t::text), ${from}, 15))::bit(60)::bigint), 0)`
  const question = `select concat_ws(' ', count(*), ${half(1)}, ${half(16)}) as sum from ${table} t`
  const [before] = await old.query<{ sum: string }>(question)
  const { rows } = await client.query<{ sum: string }>(question)
  if (before?.sum === rows[0]?.sum) return
  throw new Error(`the rows of ${table} are not the same after the move. The old database is untouched: start again`)
}
