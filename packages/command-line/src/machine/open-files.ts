// How many files and connections this process may have open, as its children may.

import { readText } from './libraries.js'

/** Other systems than Linux have no such file, and higher limits. */
export function openFilesLimit(): number {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(readText('/proc/self/limits')) ?? []
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit)
}
