// Where the server listens: on a socket in a folder that only its owner can open. No other machine and no other user can reach it.

import { mkdirSync, mkdtempSync, realpathSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../local-servers/free-port.ts'
import { closedAbove } from './closed-folders.ts'
import { giveTo } from './file-rights.ts'
import { socketFile, type ServerNote } from './find-server.ts'
import type { FolderLayout } from './folder-layout.ts'

/** The number in the socket's name, which PostgreSQL's own tools expect. */
const PORT = 5432
/** The system's limit for a socket's path is 104 to 108 bytes. */
const MAX_PATH_BYTES = 100
/** TMPDIR may be as long as the data folder. */
const TEMPORARY = [() => mkdtempSync(join(tmpdir(), 'hearth-')), () => mkdtempSync(join('/tmp', 'hearth-'))]

export interface PrivateAddress extends Omit<ServerNote, 'pid'> {
  settings: Record<string, string>
  remove(): void
}

/** For a server that runs as `owner`. In the data folder if a socket's path fits, otherwise in a new temporary folder. */
export async function choosePrivateAddress(
  layout: FolderLayout,
  owner?: number,
  temporary = TEMPORARY,
): Promise<PrivateAddress> {
  if (process.platform === 'win32') return loopbackAddress()
  const host = makeSocketFolder(layout, owner, temporary)
  giveTo(host, owner)
  const settings = { listen_addresses: '', unix_socket_directories: `"${host}"`, port: String(PORT) }
  return { host, port: PORT, settings, remove: () => rmSync(host, { recursive: true, force: true }) }
}

function makeSocketFolder(
  { root, socketFolder }: FolderLayout,
  owner: number | undefined,
  temporary: typeof TEMPORARY,
): string {
  if (fits(socketFolder)) {
    // Nobody else uses it: we hold the folder's lock. A dead server may have left its socket there.
    rmSync(socketFolder, { recursive: true, force: true })
    mkdirSync(socketFolder, { mode: 0o700 })
    return socketFolder
  }
  for (const make of temporary) {
    const made = tryToMake(make)
    if (made === undefined) continue
    if (fits(made) && isReached(made, owner)) return made
    rmdirSync(made)
  }
  throw new Error(
    `the path of ${root} is too long for a socket in it, and there is no temporary folder for one. Set TMPDIR to a folder with a short ` +
      `path to which the database can write, or choose another folder: DATABASE_URL=embedded:<folder>`,
  )
}

function fits(folder: string): boolean {
  return Buffer.byteLength(socketFile(folder, PORT)) <= MAX_PATH_BYTES
}

function tryToMake(make: () => string): string | undefined {
  try {
    return make()
  } catch {
    // The place isn't there, or we can't write to it.
    return undefined
  }
}

/** A server that runs as somebody else gets through no closed folder on the way. */
function isReached(folder: string, owner: number | undefined): boolean {
  return owner === undefined || owner === process.getuid?.() || closedAbove(realpathSync(folder)) === undefined
}

/** Other users of the machine can reach a port, but they don't have the password. */
async function loopbackAddress(): Promise<PrivateAddress> {
  const [host, port] = ['127.0.0.1', await freePort()]
  const settings = { listen_addresses: host, port: String(port), unix_socket_directories: '' }
  return { host, port, settings, remove: () => undefined }
}
