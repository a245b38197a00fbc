// A real gateway in its own process. Everything it prints is kept, so that a test can look for things that must not be there.

import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEADLINE_MS } from './deadline.ts'
import { watchOutput, type WatchedOutput } from './watch-output.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LISTENING = /^\{.*"msg":"listening".*\}$/m

export interface GatewayProcess extends WatchedOutput, AsyncDisposable {
  /** http://127.0.0.1:<port> */
  origin: string
  pid: number
  isAlive(): boolean
  signal(name: 'SIGTERM' | 'SIGINT'): void
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
  const child = spawn(process.execPath, [...flags, join(checkout, 'packages/gateway/src/main.ts')], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const watched = watchOutput(child)
  const { heard, exited } = watched
  void exited.then(() => running.delete(child))
  const [line] = await heard(LISTENING)
  const { port } = JSON.parse(line) as { port: number }
  const stop = async () => {
    if (isAlive(child)) child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS)
    return await exited.finally(() => clearTimeout(timer))
  }
  return {
    ...watched,
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid!,
    isAlive: () => isAlive(child),
    signal: (name) => void child.kill(name),
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
    },
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}
