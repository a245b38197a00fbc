// The options of `hearth start`, as flags or environment variables.

import { join, resolve } from 'node:path'
import type { Given } from '@hearth/command-line/program/commands'

export interface Options {
  /** The model that this machine serves: a name from the list, hf:owner/name, a URL or a file. */
  model: string
  /** Somebody chose the model. Otherwise a better one than the starter may be offered. */
  isModelChosen: boolean
  port: number
  /** The folder for all data. */
  data: string
  withDevice: boolean
  /** What this start sets for the device, as variables. */
  deviceSettings: Readonly<Record<string, string>>
  /** Puts the command `hearth` into a folder of the user's. */
  withCommand: boolean
  /** Gateway processes that share the port. */
  gateways: number
  /** The first API key, if automation chose one. */
  bootstrapKey: string | undefined
}

/** In the folder of the program: `hearth start` means the same wherever the person is. */
export const DEFAULT_DATA = join(import.meta.dirname, '../../../../data')

const MOST_GATEWAYS = 64

/** Each has a variable too, for services and containers. */
export const START_OPTIONS: readonly Given[] = [
  [
    '--model <source>',
    'model that this machine serves: a name like qwen3:8b, hf:owner/name[:quant], a URL or a GGUF file (HEARTH_MODEL; default: starter)',
  ],
  ['--port <port>', 'port that the gateway listens on (HEARTH_PORT; default: 8080)'],
  ['--data <folder>', 'folder for all data (HEARTH_DATA; default: data, beside this program)'],
  ['--no-device', 'run only the gateway and the console; other machines are the devices (HEARTH_DEVICE=off)'],
  ['--no-upstream', 'serve no local server such as Ollama, and look for none (HEARTH_DEVICE_UPSTREAM=off)'],
  [
    '--gateways <count>',
    'gateway processes behind the port, with a NATS server to share; Linux only. See docs/scale.md (HEARTH_GATEWAYS; default: 1)',
  ],
  ['--no-command', "don't install the command hearth for this user (HEARTH_INSTALL=off)"],
]

export interface StartFlags {
  model?: string
  port?: string
  data?: string
  device?: boolean
  upstream?: boolean
  gateways?: string
  command?: boolean
}

export class UsageError extends Error {
  override name = 'UsageError'
}

export function readOptions(flags: StartFlags, environment: Readonly<Record<string, string | undefined>>): Options {
  const port = flags.port ?? environment['HEARTH_PORT'] ?? '8080'
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError(`Cannot use port "${port}". Choose a number from 1 to 65535`)
  const model = flags.model ?? environment['HEARTH_MODEL']
  return {
    model: model ?? 'starter',
    isModelChosen: model !== undefined,
    port: Number(port),
    data: resolve(flags.data ?? environment['HEARTH_DATA'] ?? DEFAULT_DATA),
    withDevice: flags.device !== false && environment['HEARTH_DEVICE'] !== 'off',
    deviceSettings: flags.upstream === false ? { HEARTH_DEVICE_UPSTREAM: 'off' } : {},
    withCommand: flags.command !== false && environment['HEARTH_INSTALL'] !== 'off',
    gateways: readGateways(flags.gateways ?? environment['HEARTH_GATEWAYS'] ?? '1'),
    bootstrapKey: environment['HEARTH_BOOTSTRAP_KEY'] || undefined,
  }
}

function readGateways(text: string): number {
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > MOST_GATEWAYS)
    throw new UsageError(`Cannot start "${text}" gateways. Choose a number from 1 to ${MOST_GATEWAYS}`)
  if (count > 1 && process.platform !== 'linux')
    throw new UsageError(
      'Several gateways can share a port only on Linux. On this system, use containers: see docs/scale.md',
    )
  return count
}
