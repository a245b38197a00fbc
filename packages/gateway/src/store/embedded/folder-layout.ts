// The files in the data folder of the embedded database.

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
  /** Where Hearth kept its rows before it had a PostgreSQL of its own, and where they stay after the move. */
  pglite: string
  movedPglite: string
  /** The second PostgreSQL that `npm start -- --gateways` had, beside the folder of a single gateway. */
  sharedHome: string
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
    pglite: join(root, 'database'),
    movedPglite: join(root, 'old-pglite-database'),
    sharedHome: join(root, '..', 'postgres'),
  }
}
