// hearth-seal as people run it, in processes of its own that share a folder.

import { spawn, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { watchOutput } from './watch-output.ts'

const MAIN = fileURLToPath(new URL('../../../packages/seal/src/main.ts', import.meta.url))

export interface SealPlace {
  /** The folder of its keys and of what it has seen. */
  home: string
  gateway: string
  apiKey: string
}

export interface SealProxy extends AsyncDisposable {
  /** For clients. */
  baseURL: string
}

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** Returns what the command prints. */
export async function runSeal(words: readonly string[], place: SealPlace): Promise<string> {
  const { output, exited } = watchOutput(start(words, place))
  const code = await exited
  if (code !== 0) throw new Error(`hearth-seal ${words[0]} ended with ${code}: ${output()}`)
  return output()
}

export async function startSealProxy(place: SealPlace): Promise<SealProxy> {
  const child = start(['proxy', '--port', '0'], place)
  const { heard, exited } = watchOutput(child)
  const [baseURL] = await heard(/http:\/\/127\.0\.0\.1:\d+\/openai\/v1/)
  return {
    baseURL,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

function start(words: readonly string[], { home, gateway, apiKey }: SealPlace): ChildProcess {
  const own = { HEARTH_SEAL_HOME: home, HEARTH_URL: gateway, HEARTH_API_KEY: apiKey }
  const child = spawn(process.execPath, [MAIN, ...words], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}
