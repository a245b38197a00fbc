// The installer's command-line options.

import {
  INSTALL_OPTIONS,
  parseInstallWords,
  readTarget,
  type InstallTarget,
} from '@hearth/command-line/install/installer'
import { SEAL_PROGRAM } from '@hearth/command-line/install/program'

export const INSTALL_HELP = `hearth-seal-install <gateway> [options]

Installs hearth-seal from your gateway. All files go into ~/.hearth-seal; nothing else on this machine changes.
Compare the checksum that it prints with another source if you don't trust the gateway to hand out the right program:
npm run handouts in a checkout of the source prints the same one.

Options:
  --home FOLDER      state folder (default: HEARTH_SEAL_HOME, or ~/.hearth-seal)
  --yes              install code that has changed without asking
  --allow-insecure   allow an unencrypted (http://) gateway on another machine
  -h, --help         show this help

Examples:
  $ hearth-seal-install https://hearth.example.com`

export function readInstallOptions(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): InstallTarget | 'help' {
  const { values, positionals } = parseInstallWords(SEAL_PROGRAM, words, INSTALL_OPTIONS)
  return values.help === true ? 'help' : readTarget(SEAL_PROGRAM, values, positionals, environment)
}
