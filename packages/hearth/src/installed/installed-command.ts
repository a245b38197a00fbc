// The command `hearth`, as a small file in a folder of the user's that runs this checkout with its own Node. Every start writes it, so it runs
// the Hearth that was started last. Nothing is written over a file that isn't ours.

import { lstatSync, readFileSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Environment } from '@hearth/instances'
import { readText } from '@hearth/command-line/files/read-text'
import { writeAtomic } from '@hearth/command-line/files/write-atomic'
import { quote } from '@hearth/command-line/terminal/quote'

/** The checkout that this file is in. */
export const OWN_PROGRAM = join(import.meta.dirname, '../../../..')
const MAIN = join(OWN_PROGRAM, 'packages', 'hearth', 'src', 'main.ts')
const MARK = 'The hearth command. Each start of Hearth writes this file; hearth uninstall removes it.'
const isWindows = process.platform === 'win32'

export function installedPath({ XDG_BIN_HOME: chosen, LOCALAPPDATA: local, ...environment }: Environment): string {
  const home = homeOf(environment)
  if (isWindows) return join(local ?? join(home, 'AppData', 'Local'), 'Hearth', 'bin', 'hearth.cmd')
  return join(chosen || join(home, '.local', 'bin'), 'hearth')
}

/** Returns why it could not be done. Hearth runs without it. */
export function installCommand(environment: Environment): string | undefined {
  const path = installedPath(environment)
  const text = isWindows ? windowsText() : shellText(path)
  try {
    if (isForeign(path)) return `${path} is another program, and was left as it is`
    if (isOthersHome(environment)) return `${homeOf(environment)} belongs to another user, so nothing was written there`
    if (readText(path) !== text) writeAtomic(path, text, { mode: 0o755 })
    return undefined
  } catch (error) {
    return `hearth could not be installed: ${error instanceof Error ? error.message : String(error)}`
  }
}

/** False if there is none of ours. */
export function removeCommand(environment: Environment): boolean {
  const path = installedPath(environment)
  if (!isInstalled(environment)) return false
  rmSync(path)
  return true
}

export function isInstalled(environment: Environment): boolean {
  const path = installedPath(environment)
  return readText(path) !== undefined && !isForeign(path)
}

/** What runs this checkout where the command isn't installed: npm puts it there. */
export function bundledPath(): string {
  return commandIn(OWN_PROGRAM)
}

export function commandIn(checkout: string): string {
  return join(checkout, 'node_modules', '.bin', isWindows ? 'hearth.cmd' : 'hearth')
}

/** A link may lead to anything, so it is none of ours. */
function isForeign(path: string): boolean {
  const there = lstatSync(path, { throwIfNoEntry: false })
  return there !== undefined && !(there.isFile() && readFileSync(path, 'utf8').includes(MARK))
}

/** `sudo` may keep the HOME of the person who ran it, who could then not change what root writes. */
function isOthersHome(environment: Environment): boolean {
  return !isWindows && statSync(homeOf(environment)).uid !== process.getuid?.()
}

function homeOf({ HOME: home }: Environment): string {
  return home || homedir()
}

function shellText(path: string): string {
  const gone = `hearth ran the program in ${OWN_PROGRAM}, which is not there any more, or not all of it.
If it is there, run npm ci in it. If you moved it, run npm start in its new folder, which repairs this command.
To remove this command: rm ${quote(path)}`
  return `#!/bin/sh
# ${MARK}
node=${quote(process.execPath)}
main=${quote(MAIN)}
if [ -x "$node" ] && [ -f "$main" ]; then exec "$node" "$main" "$@"; fi
printf '%s\\n' ${quote(gone)} >&2
exit 1
`
}

/** Not tried on Windows yet. */
function windowsText(): string {
  const [node, main] = [process.execPath, MAIN].map((path) => path.replaceAll('%', '%%'))
  return [
    '@echo off',
    `rem ${MARK}`,
    `if exist "${node}" if exist "${main}" goto run`,
    `echo hearth ran the program in ${dirname(dirname(dirname(dirname(main ?? ''))))}, which is not there any more. Run npm start in its new folder. 1>&2`,
    'exit /b 1',
    ':run',
    `"${node}" "${main}" %*`,
    '',
  ].join('\r\n')
}
