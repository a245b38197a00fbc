// The local servers whose models the owner agreed to serve, in a file of the state folder: by a key press, a command, or where the owner
// allows it, in the console. The setting `upstream` replaces the list.

import { MAX_SERVERS } from '@hearth/protocol'
import { recallNotes } from '@hearth/command-line/files/notes'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { asList } from '@hearth/sealing/fields'
import { readServerAddress } from '../engines/openai-server/http/server-address.ts'
import type { Settings } from './settings.ts'

/** A damaged file counts as none, and so does a damaged address: at worst, the owner has to agree again. */
export function readAddedServers(path: string): string[] {
  const kept = asList(recallNotes(path)['servers']).flatMap((address) => {
    const root = typeof address === 'string' ? rootOf(address) : undefined
    return root === undefined ? [] : [root]
  })
  return [...new Set(kept)].slice(0, MAX_SERVERS)
}

/** Returns those that are new. */
export function addServers(path: string, addresses: readonly string[]): string[] {
  const before = readAddedServers(path)
  const added = addresses.filter((address) => !before.includes(address)).slice(0, MAX_SERVERS - before.length)
  if (added.length > 0) writeJson(path, { servers: [...before, ...added] })
  return added
}

/** False if it was not there. */
export function removeServer(path: string, address: string): boolean {
  const before = readAddedServers(path)
  if (!before.includes(address)) return false
  writeJson(path, { servers: before.filter((other) => other !== address) })
  return true
}

export function addressesToServe({ upstream }: Pick<Settings, 'upstream'>, path: string): readonly string[] {
  return upstream ?? readAddedServers(path)
}

function rootOf(address: string): string | undefined {
  try {
    return readServerAddress(address).root
  } catch {
    return undefined
  }
}
