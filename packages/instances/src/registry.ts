// The list of what is on this machine, in the user's own state folder: one file per instance, so that nobody has to lock anything. An
// instance that has stopped stays on the list as long as its folder is there. A service of systemd puts its file where everyone can read it.

import { createHash } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isOurs } from '@hearth/command-line/files/private-folder'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { readInstance, type Instance } from './instance.ts'
import { isRunning } from './process-identity.ts'

/** RuntimeDirectory= of deploy/systemd/hearth-gateway.service. Only root can make it, and systemd removes it when the service stops. */
const OF_SERVICES = '/run/hearth'

export type Environment = Readonly<Record<string, string | undefined>>

export function registerInstance(instance: Instance, environment: Environment): void {
  const mode = ofService(environment) === undefined ? 0o600 : 0o644
  writeJson(fileOf(instance.folder, environment), instance, { mode })
}

export function forgetInstance({ folder }: Pick<Instance, 'folder'>, environment: Environment): void {
  forget(fileOf(folder, environment))
}

/** Those whose folder is still there, the last started first. Forgets the others, and gateways on their own that have stopped. */
export function listInstances(environment: Environment): Instance[] {
  const found = listServices()
  // `sudo` may keep the HOME of the person who ran it.
  for (const path of listFolder(ownFolder(environment)).filter(isOurs)) {
    const instance = readInstance(path)
    if (instance !== undefined && isThere(instance)) found.push(instance)
    else forget(path)
  }
  return found.toSorted((one, other) => other.startedAt.localeCompare(one.startedAt))
}

/** Each is told by the account that runs it. Nobody can pass off another account's process as theirs. */
function listServices(): Instance[] {
  return listFolder(OF_SERVICES).flatMap((path) => {
    const instance = readInstance(path)
    return instance?.kind === 'gateway' && isRunning(instance) && ownerOf(`/proc/${instance.pid}`) === ownerOf(path)
      ? [instance]
      : []
  })
}

function ownerOf(path: string): number | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.uid
}

function isThere(instance: Instance): boolean {
  return instance.kind === 'gateway' ? isRunning(instance) : existsSync(instance.folder)
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => join(folder, name))
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
  return join(ofService(environment) ?? ownFolder(environment), `${name}.json`)
}

function ofService({ RUNTIME_DIRECTORY: folder }: Environment): string | undefined {
  return folder === OF_SERVICES ? folder : undefined
}

/** XDG_STATE_HOME counts on every system, so that tests and people can choose. */
function ownFolder(environment: Environment): string {
  return join(stateHome(environment), 'instances')
}

function stateHome({ XDG_STATE_HOME: chosen, LOCALAPPDATA: local, HOME: home = homedir() }: Environment): string {
  if (chosen !== undefined && chosen !== '') return join(chosen, 'hearth')
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Hearth')
  if (process.platform === 'win32') return join(local ?? join(home, 'AppData', 'Local'), 'Hearth')
  return join(home, '.local', 'state', 'hearth')
}
