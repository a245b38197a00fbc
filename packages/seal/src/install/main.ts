// The installer of hearth-seal: on a machine with nothing but npm, one command installs it from the gateway. It runs on the machine's own
// Node, so it and everything it imports must work on Node 20.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '@hearth/command-line/errors'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { appFolder } from '@hearth/command-line/install/app-folder'
import { installCurrent } from '@hearth/command-line/install/install-current'
import { SEAL_PROGRAM } from '@hearth/command-line/install/program'
import { plainScreen } from '@hearth/command-line/terminal/plain-screen'
import { HELP, readInstallOptions, type InstallOptions } from './install-options.ts'

const screen = plainScreen(process.stdout)

try {
  const options = readInstallOptions(process.argv.slice(2), process.env)
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
