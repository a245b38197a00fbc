// The installer of hearth-seal: on a machine with nothing but npm, one command installs it from the gateway. It runs on the machine's own
// Node, so it and everything it imports must work on Node 20.

import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CommandError, describeError } from '@hearth/command-line/errors'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { readGatewayAddress } from '@hearth/command-line/gateway/gateway-address'
import { appFolder } from '@hearth/command-line/install/app-folder'
import { installCurrent } from '@hearth/command-line/install/install-current'
import { SEAL_PROGRAM } from '@hearth/command-line/install/program'
import { plainScreen } from '@hearth/command-line/terminal/plain-screen'

interface InstallOptions {
  gateway: URL
  home: string
  allowInsecure: boolean
}

const HELP = `hearth-seal-install <gateway> [options]

Installs hearth-seal from your gateway. All files go into ~/.hearth-seal; nothing else on this machine changes.
Compare the checksum that it prints with another source if you don't trust the gateway to hand out the right program:
a checkout of the repository has the same program as npx hearth-seal.

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

const screen = plainScreen(process.stdout)

try {
  const options = readOptions(process.argv.slice(2))
  if (options === 'help') process.stdout.write(`${HELP}\n`)
  else await install(options)
} catch (error) {
  if (!(error instanceof CommandError)) throw error
  screen.live(undefined)
  const complaints = plainScreen(process.stderr)
  complaints.line('bad', error.message)
  if (error.advice !== undefined) complaints.line('info', `→ ${error.advice}`)
  process.exitCode = 1
}

async function install({ gateway, home, allowInsecure }: InstallOptions): Promise<void> {
  const folder = appFolder(home, SEAL_PROGRAM)
  await installCurrent(gateway, folder, process.env, screen)
  const settings = join(home, 'settings.json')
  // The same as `--save` keeps, as far as it is known.
  if (!existsSync(settings))
    writeJson(settings, { gateway: gateway.href, ...(allowInsecure && { allowInsecure }) }, { mode: 0o600 })
  screen.line('info', `Next: ${folder.command} proxy --seal hs-… (or, for the first administrator: init)`)
}

function readOptions(words: readonly string[]): InstallOptions | 'help' {
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
    home: resolve(values.home ?? process.env[homeVariable] ?? join(homedir(), homeFolder)),
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
