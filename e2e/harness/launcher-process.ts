// `npm start` in a process of its own, with a model that is small enough to load at once.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDataFolder } from '@hearth/gateway/testing'
import { freePort } from './free-port.ts'
import { removeFolder } from './remove-folder.ts'
import { watchOutput, type WatchedOutput } from './watch-output.ts'

const MAIN = fileURLToPath(new URL('../../packages/hearth/src/main.ts', import.meta.url))
const MODEL = fileURLToPath(new URL('../../packages/device/tiny-model/tiny.gguf', import.meta.url))

export interface LauncherProcess extends WatchedOutput, AsyncDisposable {
  pid: number
  /** http://127.0.0.1:<port> */
  origin: string
  signal(name: NodeJS.Signals): void
}

export async function startLauncher(): Promise<LauncherProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-launcher-'))
  await makeDataFolder(join(folder, 'data', 'gateway'))
  const port = await freePort()
  const child = spawn(
    process.execPath,
    [MAIN, '--port', String(port), '--data', join(folder, 'data'), '--model', MODEL],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const exited = once(child, 'exit')
  return {
    pid: child.pid!,
    origin: `http://127.0.0.1:${port}`,
    ...watchOutput(child),
    signal: (name) => void child.kill(name),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await exited
      await removeFolder(folder)
    },
  }
}
