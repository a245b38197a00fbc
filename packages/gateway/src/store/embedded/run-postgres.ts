// Runs the server of a cluster. It never outlives the process that runs it, even if that is killed.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProgramFailed, startServer, type ServerCommand } from '../../local-servers/server-command.ts'
import { prepareServer, runTool, type Cluster } from './cluster.ts'
import { settingFlags } from './settings.ts'

export interface RunningPostgres {
  /** Resolves when it has stopped, for whatever reason. */
  ended: Promise<void>
  stop(): Promise<void>
  /** At once, without tidying up. */
  kill(): void
}

const READY = 'ready to accept connections'
/** The processes of a killed server take a moment to notice, and keep a new one from starting. It says so only in its log, always in English. */
const STILL_THERE = /is still in use|lock file ".*" already exists/
const RETRY_MS = 50
const RETRY_FOR_MS = 60_000
const STOP_MS = 30_000
/** Its input ends with the process that runs the server. */
const WATCH = 'read -r _; kill -INT "$1"'

export async function runPostgres(cluster: Cluster, settings: Record<string, string>): Promise<RunningPostgres> {
  const command = prepareServer(cluster, ['-D', cluster.data, ...settingFlags(settings)])
  // A session of its own: Ctrl-C is meant for the gateway, which still writes while it finishes.
  const server = await startAfterTheLast({ ...command, detached: true })
  const watch = watchParent(server)
  const ended = untilOver(server).then(() => endWatch(watch))
  return { ended, stop: () => stop(cluster, server, ended), kill: () => void server.kill('SIGKILL') }
}

async function startAfterTheLast(command: ServerCommand): Promise<ChildProcess> {
  const until = performance.now() + RETRY_FOR_MS
  for (;;) {
    try {
      return await startServer(command, READY)
    } catch (error) {
      const isStillThere = error instanceof ProgramFailed && STILL_THERE.test(error.log)
      if (!isStillThere || performance.now() > until) throw error
      await sleep(RETRY_MS)
    }
  }
}

/** Windows has no such shell; there, the next start ends a server that was left. */
function watchParent(server: ChildProcess): ChildProcess | undefined {
  if (process.platform === 'win32') return undefined
  const watch = spawn('/bin/sh', ['-c', WATCH, 'sh', String(server.pid)], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  // Without it, the next start ends a server that was left.
  watch.on('error', () => undefined)
  watch.stdin?.on('error', () => undefined)
  return watch
}

async function endWatch(watch: ChildProcess | undefined): Promise<void> {
  watch?.kill('SIGKILL')
  if (watch) await untilOver(watch)
}

async function stop(cluster: Cluster, server: ChildProcess, ended: Promise<void>): Promise<void> {
  if (isOver(server)) return
  const deadline = setTimeout(() => server.kill('SIGKILL'), STOP_MS)
  if (process.platform === 'win32') await runTool(cluster, 'pg_ctl', ['kill', 'INT', String(server.pid)])
  else server.kill('SIGINT')
  await ended
  clearTimeout(deadline)
}

async function untilOver(child: ChildProcess): Promise<void> {
  if (!isOver(child)) await once(child, 'exit')
}

function isOver({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
