// Who may do what with the files of PostgreSQL, where it runs as another user than the one that keeps it.

import { chmodSync, lchownSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const [GROUP, GROUP_ENTERS, GROUP_READS_OR_WRITES] = [0o070, 0o010, 0o060]
const OTHERS_ENTER = 0o001
const [READ, ENTER, OWNER_ENTERS] = [0o044, 0o011, 0o100]

/** Looks at every file, because an earlier start may have been killed on the way. */
export function giveTo(folder: string, owner: number | undefined): void {
  if (owner === undefined) return
  // The folder first, which closes it to the one before.
  for (const path of allIn(folder)) if (lstatSync(path).uid !== owner) lchownSync(path, owner, owner)
}

/**
 * Lets a group that nobody else is in get through a folder of ours, and see nothing there. Not if the folder's group has rights that somebody
 * gave it.
 */
export function letThrough(folder: string, group: number | undefined): void {
  const { mode, uid, gid } = lstatSync(folder)
  const isTaken = gid !== 0 && gid !== group && (mode & GROUP_READS_OR_WRITES) !== 0
  if (group === undefined || isTaken || uid !== process.getuid?.() || (mode & OTHERS_ENTER) !== 0) return
  lchownSync(folder, uid, group)
  chmodSync(folder, (mode & ~GROUP) | GROUP_ENTERS)
}

/** For programs that everyone could get from npm, if they were installed with a umask such as 077. */
export function openToAll(programs: string): void {
  const { mode, uid } = lstatSync(programs)
  // The folder itself is opened last.
  if ((mode & OTHERS_ENTER) !== 0 || uid !== 0) return
  for (const path of allIn(programs).toReversed()) openOne(path)
}

function openOne(path: string): void {
  const entry = lstatSync(path)
  if (entry.isSymbolicLink()) return
  chmodSync(path, entry.mode | READ | ((entry.mode & OWNER_ENTERS) === 0 ? 0 : ENTER))
}

function allIn(folder: string): string[] {
  return [folder, ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((entry) => join(folder, entry))]
}
