// llama.cpp's own server, if LLAMA_SERVER is set to its binary. It gets the priority of the embedded engine: on a busy machine, the comparison
// would otherwise be one of priorities.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { replyChunks } from './reply-chunks.ts'
import type { System, SystemOptions, Turn } from './system.ts'

const FIRST_PORT = 18_437
const START_MS = 120_000
let started = 0

/** `more` are options of the server itself. */
export async function startLlamaServer(
  binary: string,
  options: SystemOptions,
  more: readonly string[] = [],
): Promise<System> {
  const { model, threads, slots, contextLength, gpu } = options
  const port = String(FIRST_PORT + started++)
  const base = `http://127.0.0.1:${port}`
  const sizes = [
    '-c',
    String(contextLength * slots),
    '-np',
    String(slots),
    '-t',
    String(threads),
    '-tb',
    String(threads),
  ]
  const server = [binary, '-m', model, ...sizes, '--port', port, '-ngl', gpu === undefined ? '0' : '99', ...more]
  const priority = String(constants.priority.PRIORITY_BELOW_NORMAL)
  const child = spawn('nice', ['-n', priority, ...server], { stdio: 'ignore', env: withLibrariesOf(binary) })
  await untilHealthy(base, AbortSignal.timeout(START_MS))
  return {
    name: ['llama-server', ...more].join(' '),
    answer: (turn) => answer(base, turn),
    async stop() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Its libraries have the names of the engine's own: a process that finds both ends with "double free", so only the server may find these. */
function withLibrariesOf(binary: string): NodeJS.ProcessEnv {
  return { ...process.env, LD_LIBRARY_PATH: dirname(binary) }
}

async function untilHealthy(base: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const isHealthy = await fetch(`${base}/health`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isHealthy) return
    await wait(200, undefined, { signal })
  }
}

async function answer(base: string, { messages, tokens, onToken, signal, temperature = 0 }: Turn): Promise<void> {
  const body = { messages, max_tokens: tokens, temperature, stream: true, ignore_eos: true }
  try {
    const reply = await fetch(`${base}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    })
    for await (const { choices } of replyChunks(reply.body!)) {
      const text = choices[0]?.delta?.content
      if (text) onToken?.(performance.now(), text)
    }
  } catch (error) {
    if (signal?.aborted !== true) throw error
  }
}
