// The files in the data folder of the embedded database.

import { join, resolve } from 'node:path'

export interface FolderLayout {
  root: string
  /** Locked by the process that has the database open. */
  lock: string
  /** Process and socket of the running server, for other processes. */
  server: string
  /** Contains the next two. It appears in one step, complete. */
  database: string
  data: string
  version: string
  /** Private to the user: anyone who can reach the socket is a database superuser. */
  socketFolder: string
}

export function folderLayout(folder: string): FolderLayout {
  const root = resolve(folder)
  const database = join(root, 'database')
  return {
    root,
    lock: join(root, 'lock'),
    server: join(root, 'server.json'),
    database,
    data: join(database, 'pgdata'),
    version: join(database, 'pglite-version'),
    socketFolder: join(root, 'socket'),
  }
}
