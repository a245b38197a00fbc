// Finds the device that a command means if nobody names a state folder: one that runs, or else the last one that did. It may be a device of
// its own, or the one that `npm start` runs.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chooseOne, findCheckout, listInstances, type Environment, type Candidate } from '@hearth/instances'
import { CommandError } from '@hearth/command-line/errors'
import { stateFolder } from '../state/folder.ts'
import { readStatus } from '../state/status-file.ts'

export interface FoundHome {
  /** Undefined for the default one. */
  home: string | undefined
  /** The command that starts its app. */
  startCommand: string
  /** Says which one it is, if there are several. */
  note?: string
}

export const START_DEVICE = 'hearth-device start'
/** These make this machine a device of its own, and leave the device of `npm start` alone. */
const FOR_OWN_DEVICE: readonly string[] = ['login', 'start', 'install', 'uninstall', 'update']
/** These only look. */
const READING: readonly string[] = ['status', 'logs', 'doctor', 'settings', 'list', 'recommend']

export function findHome(command: string, environment: Environment, now = new Date()): FoundHome {
  const own: FoundHome = { home: undefined, startCommand: START_DEVICE }
  if (FOR_OWN_DEVICE.includes(command)) return own
  const { HEARTH_DATA: data } = environment
  const homes = listHomes(environment, now)
  const named = data ? homes.filter(({ home }) => home === join(data, 'device')) : homes
  const choice = chooseOne(named, {
    here: process.cwd(),
    checkout: findCheckout(process.cwd()),
    isChange: !READING.includes(command),
    reject: (text) => {
      throw new CommandError(text)
    },
  })
  if (choice === undefined) return own
  const { chosen, note } = choice
  return { home: chosen.home, startCommand: chosen.startCommand, ...(note !== undefined && { note }) }
}

interface DeviceHome extends Candidate {
  home: string
  startCommand: string
}

function listHomes(environment: Environment, now: Date): DeviceHome[] {
  const { HEARTH_COMMAND: name = 'hearth device' } = environment
  const toHome = (home: string, folder: string, startCommand: string): DeviceHome => ({
    home,
    folder,
    startCommand,
    isRunning: readStatus(stateFolder(home).status, now) !== undefined,
    option: `--home ${home}`,
  })
  const known = listInstances(environment).flatMap(({ deviceHome, folder, kind }) => {
    if (deviceHome === undefined) return []
    return toHome(
      deviceHome,
      folder,
      kind === 'hearth' ? `${name.replace(/ device$/, '')} start --data ${folder}` : START_DEVICE,
    )
  })
  const { path } = stateFolder(undefined)
  const all = known.some(({ home }) => home === path) ? known : [...known, toHome(path, path, START_DEVICE)]
  return all.filter(({ home }) => existsSync(stateFolder(home).credential))
}
