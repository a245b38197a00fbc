// The installer's command-line options.

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeError, CommandError } from '@hearth/command-line/errors'
import { readGatewayAddress } from '@hearth/command-line/gateway/gateway-address'

export interface InstallOptions {
  gateway: URL
  home: string
  token: string | undefined
  name: string | undefined
  model: string | undefined
  allowInsecure: boolean
  /** The last step, once the machine is a device. */
  next: 'start' | 'service' | 'nothing'
}

export const HELP = `hearth-device-install <gateway> [options]

Makes this machine a device in your organization: installs the device app from your gateway, logs in and starts serving.
All files go into ~/.hearth-device; nothing else on this machine changes.

Options:
  --token TOKEN      one-time token, or set HEARTH_DEVICE_TOKEN; without one, you approve a code in the console
  --name NAME        device name shown in the console (default: the host name)
  --model SOURCE     model to serve: a name like qwen3:8b, hf:owner/name[:quant], a URL or a GGUF file (default: starter)
  --home FOLDER      state folder (default: HEARTH_DEVICE_HOME, or ~/.hearth-device)
  --service          run in the background as a service, instead of in this terminal
  --no-start         install and log in, but don't start
  --allow-insecure   allow an unencrypted (http://) gateway on another machine
  -h, --help         show this help

Examples:
  $ hearth-device-install https://hearth.example.com
  $ hearth-device-install https://hearth.example.com --name studio --service
  $ hearth-device-install https://hearth.example.com --model hf:bartowski/Qwen2.5-7B-Instruct-GGUF:Q4_K_M`

const OPTIONS = {
  token: { type: 'string' },
  name: { type: 'string' },
  model: { type: 'string' },
  home: { type: 'string' },
  service: { type: 'boolean' },
  'no-start': { type: 'boolean' },
  'allow-insecure': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

export function readInstallOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): InstallOptions | 'help' {
  const { values, positionals } = parse(words)
  if (values.help === true) return 'help'
  const [address, ...more] = positionals
  if (address === undefined || more.length > 0)
    throw new CommandError(
      'Give the address of your gateway, and only one',
      'for example: hearth-device-install https://hearth.example.com',
    )
  const allowInsecure = values['allow-insecure'] === true
  return {
    gateway: readGatewayAddress(address, { allowInsecure }),
    home: resolve(values.home ?? environment['HEARTH_DEVICE_HOME'] ?? join(homedir(), '.hearth-device')),
    token: values.token ?? environment['HEARTH_DEVICE_TOKEN'],
    name: values.name,
    model: values.model,
    allowInsecure,
    next: values['no-start'] === true ? 'nothing' : values.service === true ? 'service' : 'start',
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new CommandError(describeError(error), 'to see all options: hearth-device-install --help')
  }
}
