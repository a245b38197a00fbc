// How much memory to leave for other models that may be loaded, when only the size of their files is known.

import { GIB, type MachineMemory } from './machine-memory.ts'

/** Their weights, and a context worth having for each. */
export function roomForLater(fileBytes: readonly number[]): number {
  return fileBytes.reduce((sum, bytes) => sum + bytes * 1.15 + GIB, 0)
}

/** Only for those that can fit beside this one, in this order: nothing is gained by leaving room that no other model can use. */
export function roomForOthers(ownBytes: number, fileBytes: readonly number[], { ram, gpu }: MachineMemory): number {
  const left = (gpu === undefined || gpu.isUnified ? ram.available : gpu.free) - roomForLater([ownBytes])
  return fileBytes.reduce((sum, bytes) => {
    const more = roomForLater([bytes])
    return sum + more <= left ? sum + more : sum
  }, 0)
}
