// The list of what is on this machine, in the user's own state folder: one file per instance, so that nobody has to lock anything. An
// instance that has stopped stays on the list as long as its folder is there.

import { createHash } from 'node:crypto'
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isOurs } from '@hearth/command-line/files/private-folder'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { readInstance, type Instance } from './instance.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export function registerInstance(instance: Instance, environment: Environment): void {
  writeJson(fileOf(instance.folder, environment), instance, { mode: 0o600 })
}

export function forgetInstance({ folder }: Instance, environment: Environment): void {
  forget(fileOf(folder, environment))
}

/** Those whose folder is still there, the last started first. Forgets the others. */
export function listInstances(environment: Environment): Instance[] {
  const found: Instance[] = []
  for (const path of listFiles(environment)) {
    const instance = readInstance(path)
    if (instance !== undefined && existsSync(instance.folder)) found.push(instance)
    else forget(path)
  }
  return found.toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))
}

function listFiles(environment: Environment): string[] {
  const folder = registryFolder(environment)
  try {
    return (
      readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .map((name) => join(folder, name))
        // `sudo` may keep the HOME of the person who ran it.
        .filter(isOurs)
    )
  } catch {
    // Hearth never ran here.
    return []
  }
}

/** Tidying is a favor: a folder that can't be written is no reason to fail. */
function forget(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    return
  }
}

function fileOf(folder: string, environment: Environment): string {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return join(registryFolder(environment), `${name}.json`)
}

/** XDG_STATE_HOME counts on every system, so that tests and people can choose. */
function registryFolder(environment: Environment): string {
  return join(stateHome(environment), 'instances')
}

function stateHome({ XDG_STATE_HOME: chosen, LOCALAPPDATA: local, HOME: home = homedir() }: Environment): string {
  if (chosen !== undefined && chosen !== '') return join(chosen, 'hearth')
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Hearth')
  if (process.platform === 'win32') return join(local ?? join(home, 'AppData', 'Local'), 'Hearth')
  return join(home, '.local', 'state', 'hearth')
}
