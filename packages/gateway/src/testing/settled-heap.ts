import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Otherwise, a later collection throws away code that was not run for a while, a megabyte at once.
setFlagsFromString('--no-flush-bytecode')
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const CALM_BYTES = 16_384

/** The bytes of the heap once it stops falling: what ended a moment ago is let go of some turns later. Files that use this need a process of their own. */
export async function settledHeapBytes(): Promise<number> {
  let [before, used] = [Infinity, collectedBytes()]
  while (before - used > CALM_BYTES) {
    await setImmediate()
    before = used
    used = collectedBytes()
  }
  return used
}

function collectedBytes(): number {
  collect()
  return process.memoryUsage().heapUsed
}
