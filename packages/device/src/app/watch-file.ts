// Tells when a file changed, came or went. Looks once a second: that works on every file system, also on those that send no notices.

import { statSync } from 'node:fs'

/** Each call answers whether the file differs from the last call. The first answer is true. */
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
