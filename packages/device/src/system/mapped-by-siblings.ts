// Weights that other engines have mapped from their files. Linux counts them as available memory, but taking them away would make those
// engines read the disk for every token.

import { readText } from '@hearth/command-line/files/read-text'

type Read = (path: string) => string | undefined

/** The app itself and the libraries of a process are mapped too; they are shared. */
const SHARED_BYTES = 128 * 2 ** 20

/** The file pages of this process's siblings, in bytes; 0 where the system doesn't say. */
export function mappedBySiblings(read: Read = readText, own = process.pid, parent = process.ppid): number {
  const children = (read(`/proc/${parent}/task/${parent}/children`) ?? '').trim().split(/\s+/).map(Number)
  const siblings = children.filter((child) => child > 0 && child !== own)
  return siblings.reduce((sum, sibling) => sum + mappedBy(read(`/proc/${sibling}/status`) ?? ''), 0)
}

function mappedBy(status: string): number {
  const kibibytes = Number(/^RssFile:\s+(\d+) kB/m.exec(status)?.[1] ?? 0)
  return Math.max(0, kibibytes * 1024 - SHARED_BYTES)
}
