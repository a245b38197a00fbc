import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { folderLayout } from './folder-layout.ts'

/** Whether a start would find rows in this folder. Creates nothing. */
export function hasDatabase(folder: string): boolean {
  return existsSync(join(folderLayout(folder).cluster, 'PG_VERSION'))
}
