// Looks whether this machine can run Hearth, before anything is made.

import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { stateFolder } from '@hearth/device'
import { findFolderStops, FOLDERS_HERE } from '@hearth/command-line/machine/folders'
import { findStops, sentenceOf, type Needs } from '@hearth/command-line/machine/find-stops'
import {
  DATABASE_ROOM,
  DEVICE_MEMORY,
  GATEWAY_MEMORY,
  LEAST_ROOM,
  STARTER_ROOM,
} from '@hearth/command-line/machine/room'
import { type Options, UsageError } from './options.ts'

export function checkMachine(options: Options, hasDatabase: boolean): void {
  const [stop] = findStops(needsOf(options, hasDatabase))
  if (stop !== undefined) throw new UsageError(`Cannot start Hearth: ${sentenceOf(stop)}`)
}

/** For a start that failed although the disk had room before: whatever failed says only what it could not do. */
export function nameFullDisk(error: unknown, { data }: Pick<Options, 'data'>, folders = FOLDERS_HERE): unknown {
  const [full] = findFolderStops([{ path: data, bytes: LEAST_ROOM, option: '--data' }], folders)
  if (full === undefined || !(error instanceof Error)) return error
  return new Error(`${error.message}\n\n${sentenceOf(full)}`, { cause: error })
}

function needsOf({ data, model, withDevice }: Options, hasDatabase: boolean): Needs {
  const [database, device] = [join(data, 'gateway'), join(data, 'device')]
  const getsStarter = model === 'starter' && !existsSync(stateFolder(device).registry)
  const folder = (path: string, bytes: number) => ({ path, bytes, option: '--data' })
  return {
    parts: { runsModels: withDevice, hasDatabase },
    folders: [
      folder(data, 0),
      ...(hasDatabase ? [folder(database, existsSync(database) ? 0 : DATABASE_ROOM)] : []),
      ...(withDevice ? [folder(device, getsStarter ? STARTER_ROOM : 0)] : []),
    ],
    memoryBytes: GATEWAY_MEMORY + (withDevice ? DEVICE_MEMORY : 0),
  }
}
