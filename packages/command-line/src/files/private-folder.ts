// Folders that no other account can change: not what is in them, and not which folder it is that has their name.

import { lstatSync, mkdirSync, realpathSync, statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'

const OTHERS_WRITE = 0o022
const OTHERS = 0o077
const STICKY = 0o1000

/** Its path without links. Undefined if it can't be made, or if somebody else has it or could put another one in its place. */
export function makePrivateFolder(path: string): string | undefined {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
    if (process.platform === 'win32') return path
    const found = lstatSync(path)
    const place = realpathSync(path)
    const isPrivate = found.isDirectory() && isOwn(found) && (found.mode & OTHERS) === 0
    return isPrivate && isReachedSafely(place) ? place : undefined
  } catch {
    return undefined
  }
}

/** Whether only this account and root can have written what is there. A link isn't followed. */
export function isOurs(path: string): boolean {
  if (process.platform === 'win32') return true
  const found = lstatSync(path, { throwIfNoEntry: false })
  return found !== undefined && !found.isSymbolicLink() && isTrusted(found) && (found.mode & OTHERS_WRITE) === 0
}

/** In a folder such as /tmp, where everyone may write, nobody can replace what belongs to another. */
function isReachedSafely(place: string): boolean {
  const parent = dirname(place)
  if (parent === place) return true
  const found = statSync(parent)
  const isClosed = (found.mode & OTHERS_WRITE) === 0 || (found.mode & STICKY) !== 0
  return isClosed && isTrusted(found) && isReachedSafely(parent)
}

function isOwn({ uid }: Stats): boolean {
  return uid === process.getuid?.()
}

function isTrusted(found: Stats): boolean {
  return found.uid === 0 || isOwn(found)
}
