// A real device app in its own process, used like a person would: log in with a token, add a model file, start.

import { spawn, type ChildProcess } from 'node:child_process'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { descendantsOf } from './process-tree.ts'
import { removeFolder } from '../remove-folder.ts'
import { watchOutput, type WatchedOutput } from './watch-output.ts'

const MAIN = fileURLToPath(new URL('../../../packages/device/src/main.ts', import.meta.url))

export interface DeviceProcess extends Pick<WatchedOutput, 'output' | 'heard'>, AsyncDisposable {
  pid: number
  /** The folder with its login and models. */
  home: string
  /** Runs another command of the device app on the same folder, and returns what it prints. */
  command: (...args: readonly string[]) => Promise<string>
  /** The process that computes; the device has one per model. */
  enginePid(): Promise<number>
  kill(): Promise<void>
}

export interface DeviceProcessOptions {
  origin: string
  token: string
  model: { path: string; name: string }
  /** The name of the machine. */
  name?: string
  flags?: readonly string[]
  /** Added to the app's environment variables. */
  environment?: Readonly<Record<string, string>>
}

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** Resolves when the model is ready and the link is up. */
export async function startDeviceProcess({
  origin,
  token,
  model,
  name = 'real',
  flags = [],
  environment = {},
}: DeviceProcessOptions): Promise<DeviceProcess> {
  const home = await mkdtemp(join(tmpdir(), 'hearth-device-'))
  const own = { ...process.env, ...environment, HEARTH_DEVICE_HOME: home, HEARTH_DEVICE_TOKEN: token }
  await run(['login', origin, '--name', name], own)
  await run(['models', 'add', model.path, '--as', model.name], own)
  return startIn(home, model.name, flags, environment)
}

/** A second machine with a copy of the first one's folder. */
export async function startCopy(of: DeviceProcess, model: string): Promise<DeviceProcess> {
  const home = await mkdtemp(join(tmpdir(), 'hearth-device-'))
  for (const file of ['credential.json', 'models.json']) await copyFile(join(of.home, file), join(home, file))
  return startIn(home, model, [], {})
}

/** Starts a device that was killed again, in its own folder. */
export async function startAgain(
  { home }: DeviceProcess,
  { model, flags = [], environment = {} }: Pick<DeviceProcessOptions, 'model' | 'flags' | 'environment'>,
): Promise<DeviceProcess> {
  return startIn(home, model.name, flags, environment)
}

async function startIn(
  home: string,
  model: string,
  flags: readonly string[],
  more: Readonly<Record<string, string>>,
): Promise<DeviceProcess> {
  const environment = { ...process.env, ...more, HEARTH_DEVICE_HOME: home }
  const child = spawn(process.execPath, [MAIN, 'start', '--threads', '1', ...flags], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const { output, heard, exited } = watchOutput(child)
  await heard(`${model}: ready`)
  await heard('Connected to')
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await exited
  }
  return {
    pid: child.pid!,
    home,
    command: (...args) => run(args, environment),
    enginePid: () => engineOf(child.pid!),
    heard,
    output,
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
      running.delete(child)
      await removeFolder(home)
    },
  }
}

async function run(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  const { output, exited } = watchOutput(child)
  const code = await exited
  if (code !== 0) throw new Error(`hearth-device ${args[0]} ended with ${code}: ${output()}`)
  return output()
}

async function engineOf(pid: number): Promise<number> {
  const processes = await descendantsOf(pid)
  const engine = processes.find(({ command }) => command.includes('engine'))
  if (!engine) throw new Error(`The device has no engine process:\n${JSON.stringify(processes)}`)
  return engine.pid
}
