// The promises about time that Hearth makes to people: how soon another device takes over, a slot is free, and a key stops working, and how
// soon a large fleet is back after a restart.

import { startSystem } from '../../e2e/harness/start-system.ts'
import { percentile } from '../percentile.ts'
import { freeSlots } from './free-slots.ts'
import { outliveFrozen } from './frozen-device.ts'
import { restartFleet } from './restart-fleet.ts'
import { revokeKeys } from './revoke-keys.ts'
import { takeOver } from './take-over.ts'

const FLEET = 10_000

export async function printPromises(): Promise<void> {
  await using system = await startSystem({ devices: 'none' })
  printTimes('another device takes over after a device died', await takeOver(system, 300), 250)
  printTimes('another device answers when the first is frozen', await outliveFrozen(system, 10), 1_250)
  printTimes('a slot is free after its client left', await freeSlots(system, 300), 500)
  printTimes('a revoked key stops working', await revokeKeys(system, 100), 1_000)
  await printRestart()
}

function printTimes(what: string, timesMs: readonly number[], targetMs: number): void {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => percentile(timesMs, share))
  const verdict = p99! <= targetMs ? 'met    ' : 'NOT MET'
  const times = `p50 ${p50!.toFixed(0)} ms, p99 ${p99!.toFixed(0)} ms, longest ${longest!.toFixed(0)} ms`
  console.log(`${verdict} · ${what}: ${times} of ${timesMs.length} (target: p99 ${targetMs} ms)`)
}

async function printRestart(): Promise<void> {
  const { backAfterMs, linkedAfterMs, failures, calls, callsMs } = await restartFleet(FLEET)
  const [seconds, listening] = [backAfterMs, linkedAfterMs].map((ms) => (ms / 1_000).toFixed(1))
  console.log(
    `${linkedAfterMs <= 15_000 ? 'met    ' : 'NOT MET'} · ${FLEET} devices are linked ${listening} s after the gateway listens again, ${seconds} s after it was killed (target: 15 s)`,
  )
  console.log(
    `          calls of a key in the meantime: ${failures} of ${calls} failed, p99 ${percentile(callsMs, 0.99).toFixed(0)} ms`,
  )
}
