// Finds out whether this app was installed from a gateway (a checkout of the repository was not), and which version is running.

import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { appFolder, type AppFolder } from '@hearth/command-line/install/app-folder'
import { DEVICE_APP } from '@hearth/command-line/install/program'

export interface Installed {
  folder: AppFolder
  /** The running version, which may no longer be the current one. */
  name: string
}

const OWN_FOLDER = join(import.meta.dirname, '../..')

export function findInstalled(home: string, ownFolder = OWN_FOLDER): Installed | undefined {
  const folder = appFolder(home, DEVICE_APP)
  if (!existsSync(folder.path) || realpathSync(dirname(ownFolder)) !== realpathSync(folder.path)) return undefined
  return { folder, name: basename(ownFolder) }
}

/** Once the current version is running, older ones are no longer needed. */
export function removeOldVersions(home: string, ownFolder = OWN_FOLDER): void {
  const installed = findInstalled(home, ownFolder)
  if (installed !== undefined && installed.folder.current() === installed.name)
    installed.folder.removeOthers([installed.name])
}
