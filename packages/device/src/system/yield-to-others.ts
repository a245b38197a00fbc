// Computing in the background: everything else that the owner does with the machine comes first.

import { constants, getPriority, setPriority } from 'node:os'

/** Call it before any thread starts: on Linux, each thread has a priority of its own and inherits that of the thread that starts it. */
export function yieldToOthers(): void {
  const { PRIORITY_BELOW_NORMAL } = constants.priority
  try {
    if (getPriority() < PRIORITY_BELOW_NORMAL) setPriority(PRIORITY_BELOW_NORMAL)
  } catch {
    // Some containers forbid it. Then the engine competes like any other program.
  }
}
