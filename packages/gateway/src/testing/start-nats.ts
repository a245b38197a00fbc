// A real nats-server for tests: the system's, or else the one in a Python package, which pip finds by name. It listens on a free port of
// this machine, which it keeps when it restarts. If there is no server, tests fail; they are never skipped.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNatsServer } from './find-nats-server.ts'

export interface TestNats {
  url: string
  port: number
  /** Kills the server without warning. */
  kill(): Promise<void>
  /** Starts it again at the same address. */
  restart(): Promise<void>
  signal(name: 'SIGSTOP' | 'SIGCONT'): void
  stop(): Promise<void>
}

export interface TestNatsOptions {
  user?: string
  password?: string
  /** More lines of the server's configuration file. */
  configuration?: string
}

const START_MS = 60_000
const READY = 'Server is ready'

export async function startNats({ user, password, configuration = '' }: TestNatsOptions = {}): Promise<TestNats> {
  const program = await findNatsServer()
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'hearth-nats-'))
  const authorization = user === undefined ? '' : `authorization { user: "${user}", password: "${password}" }`
  writeFileSync(join(folder, 'nats.conf'), `listen: "127.0.0.1:${port}"\n${authorization}\n${configuration}\n`)
  let server = await start(program, folder)
  const killServer = () => void server.kill('SIGKILL')
  process.once('exit', killServer)
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  return {
    url: `nats://${user === undefined ? '' : `${user}:${password}@`}127.0.0.1:${port}`,
    port,
    kill,
    async restart() {
      await kill()
      server = await start(program, folder)
    },
    signal: (name) => void server.kill(name),
    async stop() {
      process.off('exit', killServer)
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function start(program: string, folder: string): Promise<ChildProcess> {
  const child = spawn(program, ['--config', join(folder, 'nats.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ready = Promise.withResolvers<void>()
  let said = ''
  child.once('error', (error) => ready.reject(error))
  child.stderr.on('data', (data: Buffer) => {
    said = (said + data.toString()).slice(-4_000)
    if (said.includes(READY)) ready.resolve()
  })
  child.once('close', () => ready.reject(new Error(`Cannot start nats-server for the tests: ${said}`)))
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_MS)
  await ready.promise.finally(() => clearTimeout(deadline))
  return child
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('No free port')
  return address.port
}
