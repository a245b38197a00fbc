// The installer's command-line options.

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, describeError } from '@hearth/command-line/errors'
import { readGatewayAddress } from '@hearth/command-line/gateway/gateway-address'
import { SEAL_PROGRAM } from '@hearth/command-line/install/program'

export interface InstallOptions {
  gateway: URL
  home: string
  allowInsecure: boolean
}

export const HELP = `hearth-seal-install <gateway> [options]

Installs hearth-seal from your gateway. All files go into ~/.hearth-seal; nothing else on this machine changes.
Compare the checksum that it prints with another source if you don't trust the gateway to hand out the right program:
npm run handouts in a checkout of the source prints the same one.

Options:
  --home FOLDER      state folder (default: HEARTH_SEAL_HOME, or ~/.hearth-seal)
  --allow-insecure   allow an unencrypted (http://) gateway on another machine
  -h, --help         show this help

Examples:
  $ hearth-seal-install https://hearth.example.com`

const OPTIONS = {
  home: { type: 'string' },
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
      'for example: hearth-seal-install https://hearth.example.com',
    )
  const allowInsecure = values['allow-insecure'] === true
  const { homeVariable, homeFolder } = SEAL_PROGRAM
  return {
    gateway: readGatewayAddress(address, { allowInsecure }),
    home: resolve(values.home ?? environment[homeVariable] ?? join(homedir(), homeFolder)),
    allowInsecure,
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true })
  } catch (error) {
    throw new CommandError(describeError(error), 'to see all options: hearth-seal-install --help')
  }
}
