// The options of `npm start`, as flags or environment variables. --help is printed from this table.

import { parseArgs } from 'node:util'
import { join, resolve } from 'node:path'

export interface Options {
  /** The model that this machine serves: a name from the list, hf:owner/name, a URL or a file. */
  model: string
  /** Somebody chose the model. Otherwise a better one than the starter may be offered. */
  isModelChosen: boolean
  port: number
  /** The folder for all data. */
  data: string
  withDevice: boolean
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

export const FLAGS = [
  [
    '--model SOURCE',
    'HEARTH_MODEL',
    'model that this machine serves: a name like qwen3:8b, hf:owner/name[:quant], a URL or a GGUF file',
    'starter',
  ],
  ['--port PORT', 'HEARTH_PORT', 'port that the gateway listens on', '8080'],
  ['--data FOLDER', 'HEARTH_DATA', 'folder for all data', 'data, beside this program'],
  ['--no-device', 'HEARTH_DEVICE=off', 'run only the gateway and the console; other machines are the devices', ''],
  [
    '--gateways COUNT',
    'HEARTH_GATEWAYS',
    'gateway processes behind the port, with a NATS server to share; Linux only. See docs/scale.md',
    '1',
  ],
  ['--no-command', 'HEARTH_INSTALL=off', "don't install the command hearth for this user", ''],
  [
    '',
    'HEARTH_BOOTSTRAP_KEY',
    'first API key (sk-hearth-…), for automation; by default one is created and shown once',
    '',
  ],
] as const

export const HELP = `npm start -- [options] where you cloned Hearth, or hearth start [options] anywhere

Runs Hearth on this machine: the gateway, its console, and a device that serves a model.
A process that dies is started again. Press Ctrl-C to stop. Your data stays for the next start.

${FLAGS.map(([flag, variable, help, fallback]) => `  ${flag.padEnd(18)} ${variable.padEnd(22)} ${help}${fallback && ` (${fallback})`}`).join('\n')}

Examples:
  npm start
  npm start -- --port 9000 --model qwen3:8b
  npm start -- --gateways 3
  HEARTH_DATA=/srv/hearth npm start`

export class UsageError extends Error {
  override name = 'UsageError'
}

export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Options | 'help' {
  const { values } = parse(args)
  if (values.help) return 'help'
  const port = values.port ?? environment['HEARTH_PORT'] ?? '8080'
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    throw new UsageError(`Cannot use port "${port}". Choose a number from 1 to 65535`)
  const model = values.model ?? environment['HEARTH_MODEL']
  return {
    model: model ?? 'starter',
    isModelChosen: model !== undefined,
    port: Number(port),
    data: resolve(values.data ?? environment['HEARTH_DATA'] ?? DEFAULT_DATA),
    withDevice: !values['no-device'] && environment['HEARTH_DEVICE'] !== 'off',
    withCommand: !values['no-command'] && environment['HEARTH_INSTALL'] !== 'off',
    gateways: readGateways(values.gateways ?? environment['HEARTH_GATEWAYS'] ?? '1'),
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

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        model: { type: 'string' },
        port: { type: 'string' },
        data: { type: 'string' },
        'no-device': { type: 'boolean' },
        'no-command': { type: 'boolean' },
        gateways: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
  }
}
