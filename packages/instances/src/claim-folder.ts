// One running Hearth per data folder, whoever starts it: the claim lies in the folder itself.

import { constants, copyFileSync, linkSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import { readInstance, type Instance } from './instance.ts'
import { isRunning } from './process-identity.ts'

/** The instance that already runs in this folder, if any. */
export function readClaim(folder: string): Instance | undefined {
  return readHolder(claimFile(folder))
}

/** The folder must exist. Returns the instance that has it already; of two that claim it at the same moment, one gets it. */
export function claimFolder(instance: Instance): Instance | undefined {
  const path = claimFile(instance.folder)
  // A complete file under a name that nobody looks for.
  const draft = `${path}.${process.pid}.new`
  writeJson(draft, instance, { mode: 0o600 })
  try {
    for (;;) {
      if (tryPut(draft, path)) return undefined
      const holder = readHolder(path) ?? clear(path)
      if (holder !== undefined) return holder
    }
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Says something new about an instance that has its folder. */
export function renewClaim(instance: Instance): void {
  writeJson(claimFile(instance.folder), instance, { mode: 0o600 })
}

/** For the end of the process. Leaves the claim of another one alone. */
export function releaseFolder({ folder, pid }: Instance): void {
  const path = claimFile(folder)
  if (readInstance(path)?.pid === pid) rmSync(path, { force: true })
}

export function claimFile(folder: string): string {
  return join(folder, 'running.json')
}

function readHolder(path: string): Instance | undefined {
  const holder = readInstance(path)
  return holder !== undefined && isRunning(holder) ? holder : undefined
}

/** Never replaces a file. A link appears complete; some file systems have none. */
function tryPut(draft: string, path: string): boolean {
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? false : tryCopy(draft, path)
  }
}

function tryCopy(draft: string, path: string): boolean {
  try {
    copyFileSync(draft, path, constants.COPYFILE_EXCL)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return false
  }
}

/** Removes the claim of a process that has ended. Another start may just have done the same and put its own there: that one goes back. */
function clear(path: string): Instance | undefined {
  const aside = `${path}.${process.pid}.old`
  try {
    renameSync(path, aside)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  const holder = readHolder(aside)
  if (holder !== undefined) tryPut(aside, path)
  rmSync(aside, { force: true })
  return holder
}
