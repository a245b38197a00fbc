// A real device app in a process of its own, used as a person would: log in with a token, add a model file, start.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DEADLINE_MS } from './deadline.ts'

const MAIN = fileURLToPath(new URL('../../packages/device/src/main.ts', import.meta.url))

export interface DeviceProcess extends AsyncDisposable {
  pid: number
  /** The process that computes, of which the device has one per model. */
  enginePid(): Promise<number>
  /** Resolves when this text has been printed once more than before. */
  heard(text: string): Promise<void>
  output(): string
  kill(): Promise<void>
}

export interface DeviceProcessOptions {
  origin: string
  token: string
  model: { path: string; name: string }
  flags?: readonly string[]
}

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** Resolves when the model is ready and the link is up. */
export async function startDeviceProcess({
  origin,
  token,
  model,
  flags = [],
}: DeviceProcessOptions): Promise<DeviceProcess> {
  const home = await mkdtemp(join(tmpdir(), 'hearth-device-'))
  const environment = { ...process.env, HEARTH_DEVICE_HOME: home, HEARTH_DEVICE_TOKEN: token }
  await run(['login', origin, '--name', 'real'], environment)
  await run(['models', 'add', model.path, '--as', model.name], environment)
  const child = spawn(process.execPath, [MAIN, 'start', '--threads', '1', ...flags], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const heard = async (text: string, from = output.length) => {
    const deadline = AbortSignal.timeout(DEADLINE_MS)
    while (!output.slice(from).includes(text)) await once(child.stdout, 'data', { signal: deadline })
  }
  await heard(`${model.name}: ready`, 0)
  await heard('Connected to', 0)
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    pid: child.pid!,
    enginePid: () => childOf(child.pid!),
    heard,
    output: () => output,
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
      running.delete(child)
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`hearth-device ${args[0]} ended with ${code}: ${said}`)
}

/** Asked of the system's process list, which every Unix has. */
async function childOf(pid: number): Promise<number> {
  const list = spawn('ps', ['-e', '-o', 'pid=,ppid=,args='], { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  list.stdout.setEncoding('utf8').on('data', (data: string) => (text += data))
  await once(list, 'close')
  const rows = text.split('\n').map((row) => row.trim().split(/\s+/))
  const own = rows.find(([, parent, ...args]) => Number(parent) === pid && args.join(' ').includes('engine'))
  if (!own) throw new Error(`The device has no engine process:\n${text}`)
  return Number(own[0])
}
