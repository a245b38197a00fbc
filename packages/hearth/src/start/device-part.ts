// This machine as a device: enrolled once, given a model, then started. It uses the device app's own commands, as a person would on another
// machine.

import { findCredential, readStatus, saveCredential, stateFolder, type DeviceStatus } from '@hearth/device'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { howItEnded } from '../supervise/describe-end.ts'
import { Part } from '../supervise/part.ts'
import { startProcess, type OnLine, type PartProcess } from '../supervise/part-process.ts'
import { readableLine } from '../supervise/readable-line.ts'

const MAIN = fileURLToPath(import.meta.resolve('@hearth/device/main'))

/** How a person in this checkout calls the device app. */
const DEVICE_COMMAND = 'npx hearth device'

export interface DeviceFolder {
  /** The device that this machine is signed in as, if any. */
  device(): string | undefined
  /** The gateway's port may have changed since the last start. */
  pointAt(gatewayUrl: string): void
  login(gatewayUrl: string, token: string): Promise<void>
  /** Downloads a model, or uses a local file. The device app downloads the starter model on its own. */
  addModel(source: string, onLine: (line: string) => void): Promise<void>
  /** Runs once it is connected to the gateway. */
  createPart(tell: (text: string) => void, keep: (line: string) => void): Part
  status(): DeviceStatus | undefined
}

export function openDeviceFolder(dataFolder: string): DeviceFolder {
  const home = join(dataFolder, 'device')
  const state = stateFolder(home)
  const run = (args: readonly string[], environment: Record<string, string>, onLine: OnLine) =>
    startProcess({
      file: MAIN,
      args,
      environment: { HEARTH_DEVICE_HOME: home, HEARTH_COMMAND: DEVICE_COMMAND, ...environment },
      onLine,
    })
  return {
    device: () => findCredential(state.credential)?.device,
    pointAt(gatewayUrl) {
      const credential = findCredential(state.credential)
      const gateway = new URL(gatewayUrl).href
      if (credential && credential.gateway !== gateway) saveCredential(state.credential, { ...credential, gateway })
    },
    login: (gatewayUrl, token) => finished(run(['login', gatewayUrl], { HEARTH_DEVICE_TOKEN: token }, () => undefined)),
    addModel: (source, onLine) => finished(run(['models', isFile(source) ? 'add' : 'pull', source], {}, onLine)),
    createPart: (tell, keep) =>
      new Part({
        name: 'device',
        ready: 'Connected to ',
        tell,
        keep,
        read: (line) => readableLine(line),
        launch: (onLine) => run(['start'], {}, onLine),
      }),
    status: () => readStatus(state.status, new Date()),
  }
}

function isFile(source: string): boolean {
  return source !== 'starter' && !source.startsWith('hf:') && !/^https?:/.test(source)
}

async function finished(command: PartProcess): Promise<void> {
  const end = await command.ended
  if (end.name === 'exited' && end.code === 0) return
  throw new Error(command.lastLines().join('\n') || `Cannot set up the device: its app stopped (${howItEnded(end)})`)
}
