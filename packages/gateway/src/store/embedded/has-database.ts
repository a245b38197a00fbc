import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { folderLayout } from './folder-layout.ts'

/** Whether a start would find rows in this folder, of this version or of an earlier one. Creates nothing. */
export function hasDatabase(folder: string): boolean {
  const { root, cluster, pglite, sharedHome } = folderLayout(folder)
  const places = [cluster, join(pglite, 'pgdata'), ...(basename(root) === 'gateway' ? [join(sharedHome, 'data')] : [])]
  return places.some((place) => existsSync(join(place, 'PG_VERSION')))
}
