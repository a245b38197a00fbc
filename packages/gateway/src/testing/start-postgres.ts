// A PostgreSQL for tests that are not about the embedded database, from the same programs. It forgets to sync, and everything is gone after
// stop().

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { chooseAccount, letThrough } from '../store/embedded/account.ts'
import { USER, type Cluster } from '../store/embedded/cluster.ts'
import { folderLayout } from '../store/embedded/folder-layout.ts'
import { makeCluster } from '../store/embedded/make-cluster.ts'
import { choosePrivateAddress } from '../store/embedded/private-address.ts'
import { findPrograms } from '../store/embedded/programs.ts'
import { runPostgres } from '../store/embedded/run-postgres.ts'

export interface TestPostgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Kills the server without warning. */
  kill(): Promise<void>
  /** Starts it again after `kill`. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startPostgres(): Promise<TestPostgres> {
  const layout = folderLayout(mkdtempSync(join(tmpdir(), 'hearth-postgres-')))
  const account = chooseAccount(layout.root)
  letThrough(layout.root, account)
  const cluster: Cluster = { data: layout.cluster, programs: findPrograms(layout.root), account }
  await makeCluster(layout, cluster)
  const run = async () =>
    runPostgres(cluster, { ...(await choosePrivateAddress(layout, account)).settings, fsync: 'off' })
  let server = await run()
  let count = 0
  const urlOf = (database: string) =>
    `postgres://${USER}:${readFileSync(layout.password, 'utf8')}@localhost/${database}?host=${encodeURIComponent(layout.socketFolder)}`
  return {
    async createDatabase() {
      const name = `test_${++count}`
      const client = new Client(urlOf(USER))
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return urlOf(name)
    },
    async kill() {
      server.kill()
      await server.ended
    },
    async restart() {
      server = await run()
    },
    async stop() {
      await server.stop()
      rmSync(layout.root, { recursive: true, force: true })
    },
  }
}
