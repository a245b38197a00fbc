// A real PostgreSQL for tests, from the programs that npm installs, or else from the system. It listens on a socket in a private folder, so
// it takes no port, and everything is gone after stop(). If there are no programs, tests fail; they are never skipped.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createDatabase, POSTGRES_READY, preparePostgres } from '../local-servers/postgres-server.ts'
import { startServer } from '../local-servers/server-command.ts'

export interface TestPostgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  stop(): Promise<void>
}

export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-postgres-'))
  const settings = { fsync: 'off', max_connections: '60' }
  const command = await preparePostgres({ home: folder, socket: folder, settings })
  const server = await startServer(command, POSTGRES_READY)
  const killServer = () => void server.kill('SIGQUIT')
  process.once('exit', killServer)
  let count = 0
  return {
    createDatabase: () => createDatabase(folder, `test_${++count}`),
    async stop() {
      process.off('exit', killServer)
      if (server.exitCode === null) {
        server.kill('SIGINT')
        await once(server, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
