// A real PostgreSQL for tests, from the programs that npm installs, or else from the system. It listens on a socket in a private folder, so
// it takes no port, and everything is gone after stop(). If there are no programs, tests fail; they are never skipped.

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase, POSTGRES_READY, preparePostgres } from '../local-servers/postgres-server.ts'
import { startServer, type ServerCommand } from '../local-servers/server-command.ts'

export interface TestPostgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** Kills the server without warning. */
  kill(): Promise<void>
  /** Starts it again after `kill`. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** The processes of a killed server take a moment to notice, and keep a new one from starting. */
const STILL_THERE = /is still in use|lock file ".*" already exists/
const RETRY_MS = 100
const RESTART_MS = 60_000

export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-postgres-'))
  const settings = { fsync: 'off', max_connections: '60' }
  const command = await preparePostgres({ home: folder, socket: folder, settings })
  let server = await startServer(command, POSTGRES_READY)
  const killServer = () => void server.kill('SIGQUIT')
  process.once('exit', killServer)
  let count = 0
  return {
    createDatabase: () => createDatabase(folder, `test_${++count}`),
    async kill() {
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
    async restart() {
      server = await startAgain(command)
    },
    async stop() {
      process.off('exit', killServer)
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGINT')
        await once(server, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startAgain(command: ServerCommand): Promise<ChildProcess> {
  const limit = performance.now() + RESTART_MS
  for (;;) {
    try {
      return await startServer(command, POSTGRES_READY)
    } catch (error) {
      if (!STILL_THERE.test(String(error)) || performance.now() > limit) throw error
      await sleep(RETRY_MS)
    }
  }
}
