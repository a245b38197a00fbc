// A real gateway in its own process. Everything it prints is kept, so that a test can look for things that must not be there.

import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEADLINE_MS } from '../deadline.ts'
import { watchOutput, type WatchedOutput } from './watch-output.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const LISTENING = /^\{.*"msg":"listening".*\}$/m

export interface GatewayProcess extends WatchedOutput, AsyncDisposable {
  /** http://127.0.0.1:<port> */
  origin: string
  /** Of every process that serves under `origin`: one, unless a balancer stands in front of several. */
  origins: readonly string[]
  pid: number
  isAlive(): boolean
  signal(name: NodeJS.Signals): void
  /** Tells the process to end and resolves with its exit code. */
  stop(): Promise<number | null>
}

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** `flags` are for Node itself; `checkout` is another checkout of this repository. */
export async function startGateway(
  settings: Record<string, string>,
  flags: readonly string[] = [],
  checkout = ROOT,
): Promise<GatewayProcess> {
  const child = spawnGateway(settings, flags, checkout)
  const watched = watchOutput(child)
  const origin = await originOf(watched)
  return {
    ...watched,
    origin,
    origins: [origin],
    pid: child.pid!,
    isAlive: () => isAlive(child),
    signal: (name) => void child.kill(name),
    stop: () => stop(child, watched),
    [Symbol.asyncDispose]: async () => {
      await stop(child, watched)
    },
  }
}

function spawnGateway(settings: Record<string, string>, flags: readonly string[], checkout: string): ChildProcess {
  const child = spawn(process.execPath, [...flags, join(checkout, 'packages/gateway/src/main.ts')], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** Resolves once the gateway listens. */
async function originOf({ heard }: WatchedOutput): Promise<string> {
  const [line] = await heard(LISTENING)
  const { port } = JSON.parse(line) as { port: number }
  return `http://127.0.0.1:${port}`
}

async function stop(child: ChildProcess, { exited }: WatchedOutput): Promise<number | null> {
  if (isAlive(child)) child.kill('SIGTERM')
  // A test may have stopped it; then it would never see that it should end.
  child.kill('SIGCONT')
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS)
  return await exited.finally(() => clearTimeout(timer))
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}
