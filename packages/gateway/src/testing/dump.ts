import { readFileSync } from 'node:fs'
import { Client, type ClientConfig } from 'pg'
import { DATABASE, USER } from '../store/embedded/cluster.ts'
import { folderLayout } from '../store/embedded/folder-layout.ts'

/** Every row of every table of a running database, as PostgreSQL writes it. */
export async function dumpRows(url: string): Promise<string[]> {
  return (await readTables<{ row: string }>(url, 'each::text as row')).map(({ row }) => row)
}

/** Every text in a copy of the embedded database, which is running. */
export async function readEveryText(folder: string): Promise<string[]> {
  const { password, socketFolder: host } = folderLayout(folder)
  const login = { host, user: USER, database: DATABASE, password: readFileSync(password, 'utf8') }
  const values = (await readTables(login, '*')).flatMap((row) => Object.values(row))
  return [...new Set(values.filter((value) => typeof value === 'string'))]
}

async function readTables<Row extends Record<string, unknown>>(
  config: string | ClientConfig,
  columns: string,
): Promise<Row[]> {
  const client = new Client(config)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'drizzle')`,
    )
    const rows: Row[] = []
    for (const { name } of tables) rows.push(...(await client.query<Row>(`select ${columns} from ${name} each`)).rows)
    return rows
  } finally {
    await client.end()
  }
}
