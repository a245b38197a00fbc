// Whether this app was installed from a gateway, and which version of those in its folder it is. In a checkout of the repository it was not.

import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { appFolder, type AppFolder } from './app-folder.ts'

export interface Installed {
  folder: AppFolder
  /** The version that is running now, which need not be the current one any more. */
  name: string
}

const OWN_FOLDER = join(import.meta.dirname, '../..')

export function findInstalled(home: string, ownFolder = OWN_FOLDER): Installed | undefined {
  const folder = appFolder(home)
  if (!existsSync(folder.path) || realpathSync(dirname(ownFolder)) !== realpathSync(folder.path)) return undefined
  return { folder, name: basename(ownFolder) }
}

/** Once the current version runs, those before it are not needed any more. */
export function removeOldVersions(home: string, ownFolder = OWN_FOLDER): void {
  const installed = findInstalled(home, ownFolder)
  if (installed !== undefined && installed.folder.current() === installed.name)
    installed.folder.removeOthers([installed.name])
}
