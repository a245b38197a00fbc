// Whether folders can be used: who may write there, and how much room there is. Looks, and creates nothing.

import { accessSync, constants, statfsSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { formatBytes } from '../format.ts'
import { readText } from './libraries.js'
import type { Stop } from './system.js'

export interface FolderNeed {
  path: string
  /** What will be written there. */
  bytes: number
  /** How to choose another folder, such as `--data`; undefined if there is no way. */
  option: string | undefined
}

export interface FolderState {
  /** The folder itself, or the closest one above it that exists. */
  nearest: string
  problem: 'read-only' | 'no permission' | 'not a folder' | undefined
  owner: string
  /** The disk that it is on. */
  disk: number
  freeBytes: number
}

export interface FolderWorld {
  user: string
  look: (path: string) => FolderState
}

export function findFolderStops(needs: readonly FolderNeed[], { user, look }: FolderWorld): Stop[] {
  const found = needs.map((need) => ({ ...need, ...look(need.path) }))
  const unusable = found.find(({ problem }) => problem !== undefined)
  if (unusable !== undefined) return [explainUnusable(unusable, user)]
  const disks = [...new Set(found.map(({ disk }) => disk))]
  return disks.flatMap((disk) => explainFull(found.filter((folder) => folder.disk === disk)) ?? [])
}

type Found = FolderNeed & FolderState

function explainFull(folders: readonly Found[]): Stop | undefined {
  const [first] = folders
  const needed = folders.reduce((sum, { bytes }) => sum + bytes, 0)
  if (first === undefined || needed <= first.freeBytes) return undefined
  const room = `${formatBytes(needed)} needed, ${formatBytes(first.freeBytes)} free`
  return stop('no-disk', `The disk of ${first.path} is too full: ${room}`, 'free up space', first)
}

function explainUnusable(folder: Found, user: string): Stop {
  const { path, nearest, problem, owner } = folder
  if (problem === 'read-only')
    return stop('read-only', `${nearest} is on a read-only file system`, 'mount it as writable', folder)
  if (problem === 'not a folder') return stop('no-folder', `${nearest} is a file, not a folder`, 'move it away', folder)
  if (nearest !== path)
    return stop(
      'wrong-owner',
      `You (${user}) may not write to ${path}, because ${nearest} belongs to ${owner}`,
      `have it made for you (sudo install -d -o ${user} ${path})`,
      folder,
    )
  return stop(
    'wrong-owner',
    `${path} belongs to ${owner}, and you are ${user}`,
    `start as ${owner}, make it yours (sudo chown -R ${user} ${path})`,
    folder,
  )
}

function stop(code: string, what: string, remedy: string, { option }: FolderNeed): Stop {
  return { code, what, remedy: option === undefined ? remedy : `${remedy}, or choose another folder with ${option}` }
}

export const FOLDERS_HERE: FolderWorld = { user: userName(process.getuid?.()), look }

function look(path: string): FolderState {
  const nearest = nearestTo(path)
  const { dev: disk, uid } = statSync(nearest)
  return { nearest, problem: problemOf(nearest), owner: userName(uid), disk, freeBytes: freeBytesOf(nearest) }
}

/** Also of a folder that doesn't exist yet. */
export function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(nearestTo(folder))
  return bavail * bsize
}

/** Of a folder in one that is closed to this user, the closed one. */
function nearestTo(path: string): string {
  try {
    statSync(path)
    return path
  } catch {
    return nearestTo(dirname(path))
  }
}

function problemOf(folder: string): FolderState['problem'] {
  if (!statSync(folder).isDirectory()) return 'not a folder'
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS' ? 'read-only' : 'no permission'
  }
}

function userName(id: number | undefined): string {
  if (id === undefined) return userInfo().username
  const [, name] = new RegExp(`^([^:]*):[^:]*:${id}:`, 'm').exec(readText('/etc/passwd')) ?? []
  return name ?? String(id)
}
