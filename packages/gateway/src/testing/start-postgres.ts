// A PostgreSQL for tests that are not about the embedded database, from the same programs and a copy of the same prepared folder. It forgets to
// sync, and everything is gone after stop().

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { chooseAccount } from '../store/embedded/account.ts'
import { DATABASE, USER, type Cluster } from '../store/embedded/cluster.ts'
import { folderLayout } from '../store/embedded/folder-layout.ts'
import { choosePrivateAddress } from '../store/embedded/private-address.ts'
import { findPrograms } from '../store/embedded/programs.ts'
import { runPostgres } from '../store/embedded/run-postgres.ts'
import { makeDataFolder } from './data-folder.ts'

export type TestPostgres = Awaited<ReturnType<typeof startPostgres>>

export async function startPostgres() {
  const layout = folderLayout(await makeDataFolder(mkdtempSync(join(tmpdir(), 'hearth-postgres-'))))
  const programs = findPrograms(layout.root)
  const account = chooseAccount(layout.root, join(programs.bin, 'postgres'))
  const cluster: Cluster = { data: layout.cluster, programs, account }
  const run = async () =>
    runPostgres(cluster, { ...(await choosePrivateAddress(layout, account.server.owner)).settings, fsync: 'off' })
  let server = await run()
  let count = 0
  const urlOf = (database: string) =>
    `postgres://${USER}:${readFileSync(layout.password, 'utf8')}@localhost/${database}?host=${encodeURIComponent(layout.socketFolder)}`
  return {
    /** Everything that the server keeps is in here. */
    folder: layout.root,
    /** Creates a database with all tables and no rows, or one without tables, and returns its URL. */
    async createDatabase(content: 'tables' | 'nothing' = 'tables'): Promise<string> {
      const name = `test_${++count}`
      const client = new Client(urlOf(USER))
      await client.connect()
      await client.query(`create database ${name} template ${content === 'tables' ? DATABASE : 'template1'}`)
      await client.end()
      return urlOf(name)
    },
    /** Kills the server without warning. */
    async kill(): Promise<void> {
      server.kill()
      await server.ended
    },
    /** Starts it again after `kill`. */
    async restart(): Promise<void> {
      server = await run()
    },
    async stop(): Promise<void> {
      await server.stop()
      rmSync(layout.root, { recursive: true, force: true })
    },
  }
}
