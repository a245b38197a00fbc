import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { DATABASE, USER } from '../store/embedded/cluster.ts'
import { folderLayout } from '../store/embedded/folder-layout.ts'

type Row = Record<string, unknown>

/** Every row of every table of a running database, as PostgreSQL writes it. */
export async function dumpRows(url: string): Promise<string[]> {
  const client = new Client(url)
  await client.connect()
  try {
    const rows: string[] = []
    for (const name of await namesOfTables(client))
      rows.push(
        ...(await client.query<{ row: string }>(`select each::text as row from ${name} each`)).rows.map(
          ({ row }) => row,
        ),
      )
    return rows
  } finally {
    await client.end()
  }
}

/** Every text in a copy of the embedded database, which is running. */
export async function readEveryText(folder: string): Promise<string[]> {
  const { password, socketFolder } = folderLayout(folder)
  const client = new Client({
    host: socketFolder,
    user: USER,
    database: DATABASE,
    password: readFileSync(password, 'utf8'),
  })
  await client.connect()
  try {
    const rows: Row[] = []
    for (const name of await namesOfTables(client))
      rows.push(...(await client.query<Row>(`select * from ${name}`)).rows)
    const values = rows.flatMap((row) => Object.values(row))
    return [...new Set(values.filter((value) => typeof value === 'string'))]
  } finally {
    await client.end()
  }
}

async function namesOfTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'drizzle')`,
  )
  return rows.map(({ name }) => name)
}
