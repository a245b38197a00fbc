// `npm start` in its own process.

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { watchOutput, type WatchedOutput } from './watch-output.ts'

const MAIN = fileURLToPath(new URL('../../../packages/hearth/src/main.ts', import.meta.url))

export interface LauncherProcess extends WatchedOutput, AsyncDisposable {
  pid: number
  signal(name: NodeJS.Signals): void
}

export function startLauncher(flags: readonly string[], environment: Record<string, string> = {}): LauncherProcess {
  const env = { ...process.env, HEARTH_INSTALL: 'off', ...environment }
  const child = spawn(process.execPath, [MAIN, 'start', ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const watched = watchOutput(child)
  return {
    ...watched,
    pid: child.pid!,
    signal: (name) => void child.kill(name),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await watched.exited
    },
  }
}
