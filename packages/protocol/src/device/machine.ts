// The machine that a device app runs on, as it describes itself, so that people can tell their devices apart. Nothing here is verified, and
// nothing depends on it.

import { MAX_MACHINE_TEXT } from '../limits.ts'
import { optional, readCount, readText, type Fields } from '../read-fields.ts'

export interface Machine {
  /** As its maker calls it: "MacBook Pro", "ThinkPad X1 Carbon Gen 11". */
  model?: string
  /** The operating system with its version: "macOS 15.2". */
  system?: string
  processor?: string
  /** Logical cores. */
  cores?: number
  memoryBytes?: number
  /** The graphics card. */
  gpu?: string
  /** The card's own memory. */
  gpuMemoryBytes?: number
}

export function readMachine(fields: Fields): Machine {
  return {
    ...optional(fields, 'model', readFact),
    ...optional(fields, 'system', readFact),
    ...optional(fields, 'processor', readFact),
    ...optional(fields, 'cores', readCount),
    ...optional(fields, 'memoryBytes', readCount),
    ...optional(fields, 'gpu', readFact),
    ...optional(fields, 'gpuMemoryBytes', readCount),
  }
}

function readFact(fields: Fields, name: string): string {
  return readText(fields, name, MAX_MACHINE_TEXT)
}
