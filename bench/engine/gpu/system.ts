// A server that speaks the chat completions API, on the same GPU and model file as the other one.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

export interface GpuSystem {
  readonly name: string
  /** The address of the API, up to `/v1`. */
  readonly base: string
  readonly key: string
  readonly model: string
  /** Fields that every request to this server carries. */
  readonly fields: Record<string, number>
  stop(): Promise<void>
}

export interface GpuOptions {
  /** Where build.sh put everything. */
  work: string
  model: string
  slots: number
  contextLength: number
  /** llama-server draws from the whole vocabulary too, as Hearth always does, instead of from its 40 likeliest tokens. */
  isEqualSampling: boolean
}

const WHOLE_VOCABULARY = { top_k: 0, top_p: 1, min_p: 0 }
const START_MS = 180_000
const LOOK_MS = 200
const HEARTH_PORT = 18_441
const SERVER_PORT = 18_442

/** The whole product: a gateway and a device, as they are started for a first try. */
export async function startHearth({ work, model, slots, contextLength }: GpuOptions): Promise<GpuSystem> {
  const child = spawn(process.execPath, [`${work}/hearth/packages/hearth/src/main.ts`, 'start'], {
    env: {
      ...process.env,
      HEARTH_INSTALL: 'off',
      HEARTH_PORT: String(HEARTH_PORT),
      HEARTH_DATA: `${work}/data-${Date.now()}`,
      HEARTH_MODEL: `${work}/${model}.gguf`,
      HEARTH_DEVICE_SLOTS: String(slots),
      HEARTH_DEVICE_CONTEXT: String(contextLength),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  await until(() => Promise.resolve(output.includes('Ctrl-C')), child)
  const key = /sk-hearth-\w+/.exec(output)?.[0]
  if (key === undefined) throw new Error('Hearth printed no API key')
  const base = `http://127.0.0.1:${HEARTH_PORT}/openai/v1`
  return { name: 'hearth', base, key, model, fields: {}, stop: () => stop(child) }
}

export async function startLlamaServer(options: GpuOptions): Promise<GpuSystem> {
  const { work, model, slots, contextLength } = options
  const bin = `${work}/llama.cpp/build/bin`
  const sizes = ['-np', String(slots), '-c', String(slots * contextLength), '-ngl', '99']
  const child = spawn(`${bin}/llama-server`, ['-m', `${work}/${model}.gguf`, ...sizes, '--port', String(SERVER_PORT)], {
    env: { ...process.env, LD_LIBRARY_PATH: bin },
    stdio: 'ignore',
  })
  const base = `http://127.0.0.1:${SERVER_PORT}`
  await until(() => isHealthy(`${base}/health`), child)
  const fields = options.isEqualSampling ? WHOLE_VOCABULARY : {}
  return { name: 'llama-server', base: `${base}/v1`, key: 'none', model, fields, stop: () => stop(child) }
}

async function until(isReady: () => Promise<boolean>, child: ChildProcess): Promise<void> {
  const end = performance.now() + START_MS
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() > end) {
      child.kill()
      throw new Error(`${child.spawnargs.join(' ')} did not start`)
    }
    await wait(LOOK_MS)
  }
}

function isHealthy(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit')
  child.kill()
  await exited
}
