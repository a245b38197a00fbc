// The installer of hearth-seal: on a machine with nothing but npm, one command installs it from the gateway. It runs on the machine's own
// Node, so it and everything it imports must work on Node 20.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { appFolder } from '@hearth/command-line/install/app-folder'
import { installCurrent } from '@hearth/command-line/install/install-current'
import { runInstaller, type InstallTarget } from '@hearth/command-line/install/installer'
import { SEAL_PROGRAM } from '@hearth/command-line/install/program'
import type { Screen } from '@hearth/command-line/terminal/screen'
import { recall, recallSeals } from '@hearth/command-line/trust/seen-file'
import { newestApps } from '@hearth/sealing/documents/release'
import { INSTALL_HELP, readInstallOptions } from './install-options.ts'

await runInstaller(INSTALL_HELP, readInstallOptions, install)

async function install({ gateway, home, allowInsecure, isYes }: InstallTarget, screen: Screen): Promise<number> {
  const folder = appFolder(home, SEAL_PROGRAM)
  const seen = join(home, 'seen.json')
  const named = recallSeals(seen).flatMap((seal) => newestApps(recall(seen, seal)?.apps ?? []))
  await installCurrent(gateway, folder, process.env, screen, { roots: { named }, isYes })
  const settings = join(home, 'settings.json')
  // The same as `--save` keeps, as far as it is known.
  if (!existsSync(settings))
    writeJson(settings, { gateway: gateway.href, ...(allowInsecure && { allowInsecure }) }, { mode: 0o600 })
  screen.line('info', `Next: ${folder.command} proxy --seal hs-… (or, for the first administrator: init)`)
  return 0
}
