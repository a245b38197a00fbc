// This machine as a device: enrolled once, told which model to serve, then started. All of it through the device app's own command, as a
// person would do it on another machine.

import { findCredential, readStatus, saveCredential, stateFolder, type DeviceStatus } from '@hearth/device'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startPart, type Part } from './part.ts'

const MAIN = fileURLToPath(import.meta.resolve('@hearth/device/main'))

export interface DeviceFolder {
  /** Whether this machine already has a login, and as which device. */
  device(): string | undefined
  /** The gateway may have moved to another port since. */
  pointAt(gatewayUrl: string): void
  login(gatewayUrl: string, token: string): Promise<void>
  /** Fetches a model, or takes a file that is here. The starter model the device app fetches by itself. */
  addModel(source: string, onLine: (line: string) => void): Promise<void>
  start(onLine: (line: string) => void): Part
  status(): DeviceStatus | undefined
}

export function openDeviceFolder(dataFolder: string): DeviceFolder {
  const home = join(dataFolder, 'device')
  const state = stateFolder(home)
  const run = (
    args: readonly string[],
    environment: Record<string, string> = {},
    onLine: (line: string) => void = () => undefined,
  ) =>
    startPart({ name: 'device', file: MAIN, args, environment: { HEARTH_DEVICE_HOME: home, ...environment }, onLine })
  return {
    device: () => findCredential(state.credential)?.device,
    pointAt(gatewayUrl) {
      const credential = findCredential(state.credential)
      const gateway = new URL(gatewayUrl).href
      if (credential && credential.gateway !== gateway) saveCredential(state.credential, { ...credential, gateway })
    },
    login: (gatewayUrl, token) => finished(run(['login', gatewayUrl], { HEARTH_DEVICE_TOKEN: token })),
    addModel: (source, onLine) => finished(run(['models', isFile(source) ? 'add' : 'pull', source], {}, onLine)),
    start: (onLine) => run(['start'], {}, (line) => onLine(withoutTime(line))),
    status: () => readStatus(state.status, new Date()),
  }
}

/** In a log the device app begins each line with the time, which a person who watches does not need. */
function withoutTime(line: string): string {
  return line.replace(/^\d{4}-\S+Z (info|good) +/, '').replace(/^\d{4}-\S+Z /, '')
}

function isFile(source: string): boolean {
  return source !== 'starter' && !source.startsWith('hf:') && !/^https?:/.test(source)
}

async function finished(part: Part): Promise<void> {
  if ((await part.ended) !== 0) throw new Error(part.lastLines())
}
