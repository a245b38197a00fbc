// A real nats-server for tests: the system's, or else the one in a Python package, which pip finds by name. It listens on a free port of
// this machine, which it keeps when it restarts.

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leaveOut } from '@hearth/command-line/testing/leave-out'
import { findNatsServer } from '../local-servers/find-nats-server.ts'
import { freePort } from '../local-servers/free-port.ts'
import { NATS_READY, natsUrl, prepareNats } from '../local-servers/nats-server.ts'
import { startServer } from '../local-servers/server-command.ts'

export type TestNats = Awaited<ReturnType<typeof startNats>>

export interface TestNatsOptions {
  user?: string
  password?: string
  /** More lines of the server's configuration file. */
  configuration?: string
}

/** If there is none and none can be fetched, records what is left out and returns false. */
export async function hasNats(what: string): Promise<boolean> {
  try {
    await findNatsServer()
    return true
  } catch {
    leaveOut(`${what}: nats-server is not installed, and pip can't fetch it`)
    return false
  }
}

export async function startNats(options: TestNatsOptions = {}) {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'hearth-nats-'))
  const command = await prepareNats({ ...options, folder, port })
  let server = await startServer(command, NATS_READY)
  const killServer = () => void server.kill('SIGKILL')
  process.once('exit', killServer)
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  return {
    url: natsUrl({ ...options, port }),
    port,
    /** Kills the server without warning. */
    kill,
    /** Starts it again at the same address. */
    async restart(): Promise<void> {
      await kill()
      server = await startServer(command, NATS_READY)
    },
    signal: (name: 'SIGSTOP' | 'SIGCONT') => void server.kill(name),
    async stop(): Promise<void> {
      process.off('exit', killServer)
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
