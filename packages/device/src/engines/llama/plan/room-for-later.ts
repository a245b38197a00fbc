// How much memory to leave for models that are still to be loaded, when only the size of their files is known.

import { GIB } from './machine.ts'

/** Their weights, and a context worth having for each. */
export function roomForLater(fileBytes: readonly number[]): number {
  return fileBytes.reduce((sum, bytes) => sum + bytes * 1.15 + GIB, 0)
}
