// Finds the device that a command means if nobody names a state folder: one that runs, or else the last one that did. It may be a device of
// its own, or the one that `npm start` runs.

import { existsSync } from 'node:fs'
import { chooseOne, listInstances, type Environment } from '@hearth/instances'
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

export function findHome(command: string, environment: Environment, now = new Date()): FoundHome {
  const own: FoundHome = { home: undefined, startCommand: START_DEVICE }
  if (FOR_OWN_DEVICE.includes(command)) return own
  const choice = chooseOne(
    listHomes(environment),
    ({ home }) => readStatus(stateFolder(home).status, now) !== undefined,
  )
  if (choice === undefined) return own
  const { chosen, others } = choice
  if (others === 0) return chosen
  const note = `Using the device in ${chosen.home}, one of ${others + 1} on this machine. To choose: --home <folder>`
  return { ...chosen, note }
}

function listHomes(environment: Environment): { home: string; startCommand: string }[] {
  const known = listInstances(environment).flatMap(({ deviceHome, kind }) =>
    deviceHome === undefined ? [] : { home: deviceHome, startCommand: kind === 'hearth' ? 'npm start' : START_DEVICE },
  )
  const own = { home: stateFolder(undefined).path, startCommand: START_DEVICE }
  const all = known.some(({ home }) => home === own.home) ? known : [...known, own]
  return all.filter(({ home }) => existsSync(stateFolder(home).credential))
}
