// What can be said to `npm start`, by flag or by environment. One table: help is printed from it.

import { parseArgs } from 'node:util'
import { resolve } from 'node:path'

export interface Options {
  /** What the device is to serve: a file, hf:owner/name, an address, or `starter`. */
  model: string
  port: number
  /** Where everything is kept. */
  data: string
  withDevice: boolean
  /** The first key, chosen by automation instead of made. */
  bootstrapKey: string | undefined
}

const FLAGS = [
  [
    '--model SOURCE',
    'HEARTH_MODEL',
    'what this machine serves: a GGUF file, hf:owner/name[:quant], a URL, or starter',
    'starter',
  ],
  ['--port PORT', 'HEARTH_PORT', 'where the gateway listens', '8080'],
  ['--data FOLDER', 'HEARTH_DATA', 'where everything is kept', './data'],
  ['--no-device', 'HEARTH_DEVICE=off', 'only the gateway and the console; devices are other machines', ''],
  [
    '',
    'HEARTH_BOOTSTRAP_KEY',
    'the first API key (sk-hearth-…), for automation; otherwise one is made and shown once',
    '',
  ],
] as const

export const HELP = `npm start -- [options]

Runs all of Hearth on this machine: the gateway, its console, and this machine as a device with a model.
Stop it with Ctrl-C; start it again and everything is still there.

${FLAGS.map(([flag, variable, help, fallback]) => `  ${flag.padEnd(18)} ${variable.padEnd(22)} ${help}${fallback && ` (${fallback})`}`).join('\n')}

Examples:
  npm start
  npm start -- --port 9000 --model hf:bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M
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
    throw new UsageError(`Cannot use port "${port}": a number from 1 to 65535 is needed`)
  return {
    model: values.model ?? environment['HEARTH_MODEL'] ?? 'starter',
    port: Number(port),
    data: resolve(values.data ?? environment['HEARTH_DATA'] ?? './data'),
    withDevice: !values['no-device'] && environment['HEARTH_DEVICE'] !== 'off',
    bootstrapKey: environment['HEARTH_BOOTSTRAP_KEY'] || undefined,
  }
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
        help: { type: 'boolean', short: 'h' },
      },
    })
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`)
  }
}
