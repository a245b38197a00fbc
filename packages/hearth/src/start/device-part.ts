// This machine as a device: enrolled once, given a model, then started. It uses the device app's own commands, as a person would on another
// machine.

import {
  addServers,
  findCredential,
  readPullLine,
  readStatus,
  saveCredential,
  stateFolder,
  wantsStarter,
  type DeviceStatus,
  type PullLine,
  type ReadyModel,
  type Recommendations,
} from '@hearth/device'
import { howItEnded } from '@hearth/command-line/processes/child-end'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandToPrint } from '../installed/command-to-print.ts'
import type { Options } from './options.ts'
import { Part } from '../supervise/part.ts'
import { startProcess, type OnLine, type PartProcess } from '../supervise/part-process.ts'
import { readableLine } from '../supervise/readable-line.ts'

const MAIN = fileURLToPath(import.meta.resolve('@hearth/device/main'))

export interface DeviceFolder {
  /** The device that this machine is signed in as, if any. */
  device(): string | undefined
  /** The gateway's port may have changed since the last start. */
  pointAt(gatewayUrl: string): void
  login(gatewayUrl: string, token: string): Promise<void>
  wantsStarter(): boolean
  /** Downloads a model, or uses a local file. */
  pull(source: string, onLine: (line: PullLine) => void, signal: AbortSignal): Promise<ReadyModel>
  /** The models that suit this machine best; undefined if none does. */
  recommend(signal: AbortSignal): Promise<Recommendations | undefined>
  /** Runs once it is connected to the gateway. */
  createPart(tell: (text: string) => void, keep: (line: string) => void): Part
  status(): DeviceStatus | undefined
  /** Serves the models of these local servers, now and after each start. */
  serve(servers: readonly string[]): void
}

export function openDeviceFolder({ data, deviceSettings }: Pick<Options, 'data' | 'deviceSettings'>): DeviceFolder {
  const home = join(data, 'device')
  const state = stateFolder(home)
  const run = (args: readonly string[], environment: Record<string, string>, onLine: OnLine, onAlive?: () => void) =>
    startProcess({
      file: MAIN,
      args,
      environment: {
        ...deviceSettings,
        HEARTH_DEVICE_HOME: home,
        HEARTH_COMMAND: `${commandToPrint(process.env)} device`,
        ...environment,
      },
      onLine,
      ...(onAlive && { onAlive }),
    })
  return {
    device: () => findCredential(state.credential)?.device,
    pointAt(gatewayUrl) {
      const credential = findCredential(state.credential)
      const gateway = new URL(gatewayUrl).href
      if (credential && credential.gateway !== gateway) saveCredential(state.credential, { ...credential, gateway })
    },
    login: (gatewayUrl, token) => finished(run(['login', gatewayUrl], { HEARTH_DEVICE_TOKEN: token }, () => undefined)),
    wantsStarter: () => wantsStarter(home, { ...process.env, ...deviceSettings }),
    pull: (source, onLine, signal) =>
      pull((onOutput) => run(['models', 'pull', source, '--json'], {}, onOutput), onLine, signal),
    recommend: (signal) => recommend((onLine) => run(['models', 'recommend', '--json'], {}, onLine), signal),
    createPart: (tell, keep) =>
      new Part({
        name: 'device',
        ready: 'Connected to ',
        replacement: 'after',
        tell,
        keep,
        read: (line) => readableLine(line),
        launch: (onLine, onAlive) => run(['start'], {}, onLine, onAlive),
      }),
    status: () => readStatus(state.status, new Date()),
    serve: (servers) => void addServers(state.servers, servers),
  }
}

/** Stopped by the signal, it keeps what has arrived: the next pull continues there. */
async function pull(start: Start, onLine: (line: PullLine) => void, signal: AbortSignal): Promise<ReadyModel> {
  let ready: ReadyModel | undefined
  const command = start((text) => {
    const line = readPullLine(text)
    if (line?.type === 'ready') ready = line
    if (line !== undefined) onLine(line)
  })
  await stoppedBy(signal, command, () => finished(command))
  if (ready === undefined) throw new Error('The download ended without a model')
  return ready
}

async function recommend(start: Start, signal: AbortSignal): Promise<Recommendations | undefined> {
  const lines: string[] = []
  const command = start((line, stream) => stream === 'stdout' && lines.push(line))
  const end = await stoppedBy(signal, command, () => command.ended)
  return end.name === 'exited' && end.code === 0 ? (JSON.parse(lines.join('')) as Recommendations) : undefined
}

type Start = (onLine: OnLine) => PartProcess

async function stoppedBy<Result>(
  signal: AbortSignal,
  command: PartProcess,
  wait: () => Promise<Result>,
): Promise<Result> {
  const stop = (): void => void command.stop()
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    return await wait()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function finished(command: PartProcess): Promise<void> {
  const end = await command.ended
  if (end.name === 'exited' && end.code === 0) return
  const said = command.lastLines().filter((line) => readPullLine(line) === undefined)
  throw new Error(said.join('\n') || `Cannot set up the device: its app stopped (${howItEnded(end)})`)
}
