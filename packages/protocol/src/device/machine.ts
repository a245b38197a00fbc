// The machine that a device app runs on, as it describes itself, so that people can tell their
// devices apart. Nothing here is verified, and nothing depends on it.

import { MAX_MACHINE_TEXT } from '../limits.ts'
import { asCount } from '../read-fields.ts'
import { maybe, object, text, type ValueOf } from '../shapes.ts'

const fact = maybe(text(MAX_MACHINE_TEXT))

export const readMachine = object({
  /** As its maker calls it: "MacBook Pro", "ThinkPad X1 Carbon Gen 11". */
  model: fact,
  /** The operating system with its version: "macOS 15.2". */
  system: fact,
  processor: fact,
  /** Logical cores. */
  cores: maybe(asCount),
  memoryBytes: maybe(asCount),
  /** The graphics card. */
  gpu: fact,
  /** The card's own memory. */
  gpuMemoryBytes: maybe(asCount),
})

export type Machine = ValueOf<typeof readMachine>
