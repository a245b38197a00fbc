// The folder of installed app versions. Each version has its own folder inside the state folder, and one of them is current. Switching
// versions replaces one small file, so there is always a complete app.
//
//   app/current                 the name of the current version's folder
//   app/0.1.0-3fa2c1d09b12/     the app, its packages and its Node; `run` starts it
//   bin/hearth-device           starts the current version

import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../files/write-atomic.ts'
import { quote } from '../terminal/quote.ts'
import type { Program } from './program.ts'

const DRAFT = '.new'
/** In the folder of a version. */
export const HASH_FILE = 'archive-sha256'
const isWindows = process.platform === 'win32'

export interface AppFolder {
  program: Program
  /** The state folder that it is in. */
  home: string
  path: string
  /** The folder of a version, whether or not it exists yet. */
  version(name: string): string
  /** The folder where a version is put together before it is complete. */
  draft(name: string): string
  /** The command that starts the current version. */
  command: string
  current(): string | undefined
  /** Of the archive of an installed version. Versions from before it was kept have only its beginning, in their name. */
  hashOf(name: string): string
  /** Makes this version current. */
  choose(name: string): void
  /** Removes all other versions, except one that is being installed. */
  removeOthers(keep: readonly string[]): void
  /** Removes what an interrupted installation left behind. */
  removeDrafts(): void
}

export function appFolder(home: string, program: Program): AppFolder {
  const path = join(home, 'app')
  const currentFile = join(path, 'current')
  const remove = (isUseless: (name: string) => boolean): void => {
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory() && isUseless(entry.name))
        rmSync(join(path, entry.name), { recursive: true, force: true, maxRetries: 2 })
  }
  const command = join(home, 'bin', isWindows ? `${program.command}.cmd` : program.command)
  return {
    program,
    home,
    path,
    version: (name) => join(path, name),
    draft: (name) => join(path, name + DRAFT),
    command,
    current: () => (existsSync(currentFile) ? readFileSync(currentFile, 'utf8').trim() : undefined),
    hashOf(name) {
      const file = join(path, name, HASH_FILE)
      return existsSync(file) ? readFileSync(file, 'utf8').trim() : (name.split('-').at(-1) ?? '')
    },
    choose(name) {
      // No newline on Windows: its batch file reads the content as is.
      writeAtomic(currentFile, isWindows ? name : `${name}\n`)
      writeAtomic(command, isWindows ? windowsCommand(program) : shellCommand(home, program), { mode: 0o755 })
    },
    removeOthers: (keep) => remove((name) => !keep.includes(name) && !name.endsWith(DRAFT)),
    removeDrafts: () => remove((name) => name.endsWith(DRAFT)),
  }
}

/** Writes the script that starts one version, wherever its folder is. */
export function writeRunFile(folder: string, node: string): void {
  if (isWindows) return writeAtomic(join(folder, 'run.cmd'), `@"${windowsPlace(node)}" "%~dp0src\\main.js" %*\r\n`)
  const place = node.startsWith('/') ? quote(node) : `"$folder/${node}"`
  const text = `#!/bin/sh\nfolder=\${0%/*}\nexec ${place} "$folder/src/main.js" "$@"\n`
  return writeAtomic(join(folder, 'run'), text, { mode: 0o755 })
}

export function runFile(folder: string): string {
  return join(folder, isWindows ? 'run.cmd' : 'run')
}

function shellCommand(home: string, { title, homeVariable }: Program): string {
  return `#!/bin/sh
# Starts the Hearth ${title}. An update changes app/current, never this file.
home=${quote(home)}
${homeVariable}=\${${homeVariable}:-$home}
HEARTH_COMMAND=
export ${homeVariable} HEARTH_COMMAND
read -r version < "$home/app/current" || exit 1
exec "$home/app/$version/run" "$@"
`
}

function windowsCommand({ homeVariable }: Program): string {
  return [
    '@echo off',
    `if not defined ${homeVariable} set "${homeVariable}=%~dp0.."`,
    'set "HEARTH_COMMAND="',
    'set /p hearth_version=<"%~dp0..\\app\\current"',
    '"%~dp0..\\app\\%hearth_version%\\run.cmd" %*',
    '',
  ].join('\r\n')
}

function windowsPlace(node: string): string {
  return /^[a-z]:/i.test(node) ? node : `%~dp0${node}`
}
