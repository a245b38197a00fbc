// A real gateway in a process of its own. Everything it prints is kept, so that a test can look for what must not be there.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { DEADLINE_MS } from './deadline.ts'

const MAIN = fileURLToPath(new URL('../../packages/gateway/src/main.ts', import.meta.url))

export interface GatewayProcess extends AsyncDisposable {
  /** http://127.0.0.1:<port> */
  origin: string
  pid: number
  /** Everything printed so far. */
  output(): string
  /** Resolves when this text has been printed. */
  heard(text: string): Promise<void>
  isAlive(): boolean
  signal(name: 'SIGTERM' | 'SIGINT'): void
  /** Resolves with the exit code. */
  exited: Promise<number | null>
  /** Asks the process to end and resolves with its exit code. */
  stop(): Promise<number | null>
}

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

export async function startGateway(settings: Record<string, string>): Promise<GatewayProcess> {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, PORT: '0', HOST: '127.0.0.1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const exited = once(child, 'exit').then(() => {
    running.delete(child)
    return child.exitCode
  })
  const printed = keepOutput(child)
  const origin = `http://127.0.0.1:${await readPort(child, printed)}`
  const stop = async () => {
    if (isAlive(child)) child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS)
    return await exited.finally(() => clearTimeout(timer))
  }
  return {
    origin,
    pid: child.pid!,
    output: () => printed.text(),
    heard: async (text) => printed.heard(text),
    isAlive: () => isAlive(child),
    signal: (name) => void child.kill(name),
    exited,
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop()
    },
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null
}

interface Printed {
  text(): string
  heard(text: string): Promise<void>
  /** Called with everything printed so far, whenever there is more. */
  watch(listener: (text: string) => void): void
}

function keepOutput(child: ChildProcess): Printed {
  let text = ''
  const listeners = new Set<(text: string) => void>()
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (data: string) => {
      text += data
      for (const listener of listeners) listener(text)
    })
  const heard = async (wanted: string) => {
    if (text.includes(wanted)) return
    const met = Promise.withResolvers<void>()
    const look = () => text.includes(wanted) && met.resolve()
    listeners.add(look)
    const timer = setTimeout(() => met.reject(new Error(`The gateway never printed "${wanted}"`)), DEADLINE_MS)
    await met.promise.finally(() => {
      clearTimeout(timer)
      listeners.delete(look)
    })
  }
  return { text: () => text, heard, watch: (listener) => void listeners.add(listener) }
}

async function readPort(child: ChildProcess, printed: Printed): Promise<number> {
  const ready = Promise.withResolvers<number>()
  printed.watch((text) => {
    const line = text.split('\n').find((each) => each.includes('"msg":"listening"') && each.endsWith('}'))
    if (line !== undefined) ready.resolve((JSON.parse(line) as { port: number }).port)
  })
  const fail = (why: string) => ready.reject(new Error(`The gateway ${why}:\n${printed.text()}`))
  child.once('exit', (code) => fail(`ended with code ${code} before it listened`))
  const timer = setTimeout(() => fail(`did not listen within ${DEADLINE_MS} ms`), DEADLINE_MS)
  return ready.promise.finally(() => clearTimeout(timer))
}
