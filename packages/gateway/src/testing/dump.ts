import { readFileSync } from 'node:fs'
import { Client } from 'pg'
import { DATABASE, USER } from '../store/embedded/cluster.ts'
import { folderLayout } from '../store/embedded/folder-layout.ts'

type Row = Record<string, unknown>

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
    const tables = await client.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'drizzle')`,
    )
    const rows: Row[] = []
    for (const { name } of tables.rows) rows.push(...(await client.query<Row>(`select * from ${name}`)).rows)
    const values = rows.flatMap((row) => Object.values(row))
    return [...new Set(values.filter((value) => typeof value === 'string'))]
  } finally {
    await client.end()
  }
}
