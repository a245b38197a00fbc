// What can be said to the installer.

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeError, DeviceError } from '../errors.ts'
import { readGatewayAddress } from '../link/gateway-address.ts'

export interface InstallOptions {
  gateway: URL
  home: string
  token: string | undefined
  name: string | undefined
  model: string | undefined
  allowInsecure: boolean
  /** What happens once the machine is a device. */
  next: 'start' | 'service' | 'nothing'
}

export const HELP = `hearth-device-install <gateway> [options]

Makes this machine a device of your organization: installs the device app that the gateway hands out, logs in and starts it.
Everything is kept in ~/.hearth-device; nothing else on the machine is changed.

  --token TOKEN      a one-time token; or set HEARTH_DEVICE_TOKEN. Without it, a code is shown that somebody approves in the console
  --name NAME        what the device is called (the name of the machine)
  --model SOURCE     what it serves: a GGUF file, hf:owner/name[:quant], a URL, or starter (starter)
  --home FOLDER      where everything is kept (HEARTH_DEVICE_HOME, or ~/.hearth-device)
  --service          run as a service of your account from now on, instead of here in the terminal
  --no-start         only install and log in
  --allow-insecure   the gateway may be another machine without encryption (http://)
  -h, --help         show this help`

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
    throw new DeviceError(
      'The address of one gateway is needed',
      'an example: hearth-device-install https://hearth.example.com',
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
    throw new DeviceError(describeError(error), '--help shows how it is used')
  }
}
