// The socket of the embedded database. It has no password, so it is in a folder with mode 0700: only the user who runs the gateway can
// reach it.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { FolderLayout } from './folder-layout.ts'

/** The name PostgreSQL's own tools look for: `psql -h <folder> -U postgres`. */
const NAME = '.s.PGSQL.5432'
/** The system's limit for a socket's path is 104 to 108 bytes. */
const MAX_PATH_BYTES = 100

export interface PrivateSocket {
  path: string
  remove(): void
}

/** Listens in the data folder if a socket can exist there, otherwise in a new temporary folder. */
export async function listenPrivately(server: Server, layout: FolderLayout): Promise<PrivateSocket> {
  if (process.platform === 'win32') return listen(server, `\\\\.\\pipe\\hearth-${process.pid}`, () => undefined)
  const path = join(layout.socketFolder, NAME)
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return listenElsewhere(server)
  try {
    mkdirSync(layout.socketFolder, { recursive: true, mode: 0o700 })
    chmodSync(layout.socketFolder, 0o700)
    // A dead process left it behind: we hold the folder's lock, so nobody is listening there.
    rmSync(path, { force: true })
    return await listen(server, path, () => rmSync(path, { force: true }))
  } catch {
    // Some shared and network folders do not support sockets.
    return listenElsewhere(server)
  }
}

function listenElsewhere(server: Server): Promise<PrivateSocket> {
  const path = join(mkdtempSync(join(tmpdir(), 'hearth-')), NAME)
  return listen(server, path, () => rmSync(dirname(path), { recursive: true, force: true }))
}

async function listen(server: Server, path: string, remove: () => void): Promise<PrivateSocket> {
  server.listen(path)
  await once(server, 'listening')
  return { path, remove }
}
