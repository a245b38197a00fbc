// What a person types to run `hearth`: the word alone, if their shell finds ours by it, or else a whole path. So whatever we print runs our
// command wherever it is pasted.

import { accessSync, constants, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import type { Environment } from '@hearth/instances'
import { quoteIfNeeded } from '@hearth/command-line/terminal/quote'
import { bundledPath, installedPath, isInstalled } from './installed-command.ts'

/** npm adds these while it runs a script; the person's own shell doesn't have them. */
const OF_NPM = /[\\/](node_modules[\\/]\.bin|node-gyp-bin)[\\/]?$/

export function commandToPrint(environment: Environment): string {
  if (!isInstalled(environment)) return quoteIfNeeded(bundledPath())
  const path = installedPath(environment)
  return findOnPath(basename(path), environment) === realpathSync(path) ? 'hearth' : quoteIfNeeded(path)
}

function findOnPath(name: string, { PATH: folders = '' }: Environment): string | undefined {
  const paths = folders.split(delimiter).filter((folder) => folder !== '' && !OF_NPM.test(folder))
  const found = paths.map((folder) => join(folder, name)).find(isProgram)
  return found === undefined ? undefined : realpathSync(found)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
