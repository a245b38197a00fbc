// A gateway whose event loop turns may still serve nobody. So it asks itself again and again, and tells its supervisor of each answer.

import { realClock, type Clock } from '../time/clock.ts'
import { repeat } from '../time/repeat.ts'

const EVERY_MS = 5_000
/** Each has 5 s. After the machine slept, one may come too late. */
const MOST_MISSES = 3

export interface ServiceProof {
  onProof: () => void
  /** Nothing was answered for 15 s. */
  onSilence: () => void
  clock?: Clock
}

export function proveService(ask: () => Promise<void>, proof: ServiceProof): void {
  const { onProof, onSilence, clock = realClock } = proof
  let misses = 0
  const prove = async () => {
    try {
      await ask()
      misses = 0
      onProof()
    } catch {
      misses += 1
      if (misses === MOST_MISSES) onSilence()
    }
  }
  repeat(clock, EVERY_MS, () => void prove())
}
