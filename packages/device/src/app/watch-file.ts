// Detects when a file changes, appears or disappears. It is polled, which works on every file system, even those without change events.

import { statSync } from 'node:fs'

/** Each call returns whether the file changed since the last call. The first call returns true. */
export function createFileWatch(path: string): () => boolean {
  let last: string | undefined
  return () => {
    const present = fingerprint(path)
    const isChanged = present !== last
    last = present
    return isChanged
  }
}

function fingerprint(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    return 'missing'
  }
}
