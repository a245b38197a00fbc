// The files in the data folder of the embedded database.

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

export interface FolderLayout {
  root: string
  /** Locked by the process that keeps the server. */
  lock: string
  /** Process and address of the running server, for other processes. */
  server: string
  /** PostgreSQL's own folder. It appears in one step, complete. */
  cluster: string
  /** Folders in which a cluster is made have names that begin with this. After an interruption, their content is worthless. */
  unfinished: string
  /** The password that every connection needs. */
  password: string
  socketFolder: string
  /** Which version of Hearth this layout needs. */
  version: string
}

export function folderLayout(folder: string): FolderLayout {
  const root = resolve(folder)
  return {
    root,
    lock: join(root, 'lock'),
    server: join(root, 'server.json'),
    cluster: join(root, 'postgres'),
    unfinished: join(root, 'unfinished-'),
    password: join(root, 'postgres-password'),
    socketFolder: join(root, 'socket'),
    version: join(root, 'version.json'),
  }
}

/** Whether a start would find rows in this folder. Creates nothing. */
export function hasDatabase(folder: string): boolean {
  return existsSync(join(folderLayout(folder).cluster, 'PG_VERSION'))
}
