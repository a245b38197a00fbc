// A real device app in its own process, used like a person would: log in with a token, add a model file, start.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { descendantsOf } from './process-tree.ts'
import { removeFolder } from '../remove-folder.ts'
import { runProgram, startProgram, type Program } from './program.ts'

const MAIN = 'packages/device/src/main.ts'

export interface DeviceProcess extends Pick<Program, 'pid' | 'output' | 'heard'>, AsyncDisposable {
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
  /** Without a path it is the model of a local server. */
  model: { path?: string; name: string }
  /** The name of the machine. */
  name?: string
  flags?: readonly string[]
  /** Added to the app's environment variables. */
  environment?: Readonly<Record<string, string>>
}

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
  const own = { ...environment, HEARTH_DEVICE_HOME: home, HEARTH_DEVICE_TOKEN: token }
  await runProgram(MAIN, ['login', origin, '--name', name], { environment: own })
  if (model.path !== undefined)
    await runProgram(MAIN, ['models', 'add', model.path, '--as', model.name], { environment: own })
  return startIn(home, model.name, flags, environment)
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
  const environment = { ...more, HEARTH_DEVICE_HOME: home }
  const program = startProgram(MAIN, ['start', '--threads', '1', ...flags], { environment })
  const { pid, output, heard, exited, isAlive, signal } = program
  await heard(`${model}: ready`)
  await heard('Connected to')
  const kill = async () => {
    if (!isAlive()) return
    signal('SIGKILL')
    await exited
  }
  return {
    pid,
    home,
    command: (...args) => runProgram(MAIN, args, { environment }),
    enginePid: () => engineOf(pid),
    heard,
    output,
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
      await removeFolder(home)
    },
  }
}

async function engineOf(pid: number): Promise<number> {
  const processes = await descendantsOf(pid)
  const engine = processes.find(({ command }) => command.includes('engine'))
  if (!engine) throw new Error(`The device has no engine process:\n${JSON.stringify(processes)}`)
  return engine.pid
}
