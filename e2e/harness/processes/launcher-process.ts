// `npm start` in its own process.

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchOutput, type WatchedOutput } from './watch-output.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

export interface LauncherProcess extends WatchedOutput, AsyncDisposable {
  pid: number
  signal(name: NodeJS.Signals): void
}

/** `root` is the folder of a checkout. */
export function startLauncher(
  flags: readonly string[],
  environment: Record<string, string> = {},
  root = ROOT,
): LauncherProcess {
  const env = { ...process.env, HEARTH_INSTALL: 'off', ...environment }
  const child = spawn(process.execPath, [join(root, 'packages/hearth/src/main.ts'), 'start', ...flags], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
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
