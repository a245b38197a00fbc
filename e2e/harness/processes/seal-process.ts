// hearth-seal as people run it, in processes of its own that share a folder.

import { runProgram, startProgram } from './program.ts'

const MAIN = 'packages/seal/src/main.ts'

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

/** Returns what the command prints. */
export async function runSeal(words: readonly string[], place: SealPlace): Promise<string> {
  return runProgram(MAIN, words, { environment: environmentOf(place) })
}

export async function startSealProxy(place: SealPlace): Promise<SealProxy> {
  const program = startProgram(MAIN, ['proxy', '--port', '0'], { environment: environmentOf(place) })
  const [baseURL] = await program.heard(/http:\/\/127\.0\.0\.1:\d+\/openai\/v1/)
  return {
    baseURL,
    async [Symbol.asyncDispose]() {
      program.signal('SIGKILL')
      await program.exited
    },
  }
}

function environmentOf({ home, gateway, apiKey }: SealPlace): Record<string, string> {
  return { HEARTH_SEAL_HOME: home, HEARTH_URL: gateway, HEARTH_API_KEY: apiKey }
}
