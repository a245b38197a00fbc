// Where the server listens: on a socket in a folder that only its owner can open. No other machine and no other user can reach it.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../local-servers/free-port.ts'
import { socketFile, type ServerNote } from './find-server.ts'
import type { FolderLayout } from './folder-layout.ts'

/** The number in the socket's name, which PostgreSQL's own tools expect. */
const PORT = 5432
/** The system's limit for a socket's path is 104 to 108 bytes. */
const MAX_PATH_BYTES = 100

export interface PrivateAddress extends Omit<ServerNote, 'pid'> {
  settings: Record<string, string>
  remove(): void
}

/** In the data folder if a socket's path fits, otherwise in a new temporary folder. */
export async function choosePrivateAddress(layout: FolderLayout): Promise<PrivateAddress> {
  if (process.platform === 'win32') return loopbackAddress()
  const fits = Buffer.byteLength(socketFile(layout.socketFolder, PORT)) <= MAX_PATH_BYTES
  const host = fits ? layout.socketFolder : mkdtempSync(join(tmpdir(), 'hearth-'))
  // Nobody else uses it: we hold the folder's lock. A dead server may have left its socket there.
  if (fits) rmSync(host, { recursive: true, force: true })
  mkdirSync(host, { recursive: true, mode: 0o700 })
  chmodSync(host, 0o700)
  const settings = { listen_addresses: '', unix_socket_directories: `"${host}"`, port: String(PORT) }
  return { host, port: PORT, settings, remove: () => rmSync(host, { recursive: true, force: true }) }
}

/** Other users of the machine can reach a port, but they don't have the password. */
async function loopbackAddress(): Promise<PrivateAddress> {
  const [host, port] = ['127.0.0.1', await freePort()]
  const settings = { listen_addresses: host, port: String(port), unix_socket_directories: '' }
  return { host, port, settings, remove: () => undefined }
}
