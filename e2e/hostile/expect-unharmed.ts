// The promises that must hold through every attack.
//
// "Fast" is measured in CPU time of the gateway's main thread, not in the bystander's waiting time: a busy machine makes everyone wait, but
// does not make a turn of the event loop longer. `npm run bench -- hostile` measures the waiting time itself, on a quiet machine.

import { expect } from 'vitest'
import type { Outcome } from './hostile-system.ts'

/** Longest turn of the gateway's event loop, in CPU time. */
export const MOST_STALL_MS = 100
/** Of the gateway process, whose heap may have 512 MiB. */
export const MOST_MEMORY_MIB = 768

export function expectUnharmed({ faults, isAlive, stallsMs, slowness, peakMiB, report }: Outcome): void {
  const seen = JSON.stringify(report)
  expect(isAlive, `the gateway died; the attacker saw ${seen}`).toBe(true)
  expect(report, 'the attack came to its end').toBeDefined()
  expect(faults, `the bystander was harmed; the attacker saw ${seen}`).toStrictEqual([])
  expect(stallsMs[0] ?? 0, 'the longest turn of the event loop').toBeLessThan(MOST_STALL_MS * slowness)
  expect(peakMiB, 'memory').toBeLessThan(MOST_MEMORY_MIB)
}
