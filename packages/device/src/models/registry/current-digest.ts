// The digest that a model is announced with. Other devices continue each other's replies by it, so it has to be that of the file as it is now.

import { statSync } from 'node:fs'
import type { ModelEntry } from './registry.ts'

/** Undefined if the file was changed since its checksum was taken. Reading it all again would take minutes; its date takes no time. */
export function currentDigest({ path, sha256, modifiedMs }: ModelEntry): string | undefined {
  return modifiedMs === undefined || modifiedMs === lastChange(path) ? sha256 : undefined
}

/** In whole milliseconds; undefined if there is no such file. */
export function lastChange(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && Math.round(stats.mtimeMs)
}
