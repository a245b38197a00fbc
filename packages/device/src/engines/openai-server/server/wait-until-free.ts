// Waits until the server has really stopped computing, if it reports that. Closing the connection is the only way to stop it. If a slot were
// released while the server still computes, the next job would wait there instead of going to a free device.

import { asFields } from '@hearth/sealing/fields'
import { waitOrAbort, type Clock } from '../../../clock.ts'
import { askQuietly, type ProductName } from './product.ts'
import type { ServerAddress } from '../http/server-address.ts'

/** Well below the time after which the device considers a job stuck. */
const GIVE_UP_MS = 3_000
const LOOK_EVERY_MS = 50

export async function waitUntilFree(
  server: { address: ServerAddress; product: ProductName; model: string; clock: Clock },
  /** How many other requests of ours are running on this model. */
  others: () => number,
): Promise<void> {
  if (server.product !== 'llama-server') return
  const signal = AbortSignal.timeout(GIVE_UP_MS)
  while (!signal.aborted) {
    // A server that doesn't say is not waited for.
    const busy = await countBusy(server, signal).catch(() => undefined)
    if (busy === undefined || busy <= others()) return
    await waitOrAbort(server.clock, LOOK_EVERY_MS, signal)
  }
}

async function countBusy(
  server: { address: ServerAddress; model: string },
  signal: AbortSignal,
): Promise<number | undefined> {
  const slots = await askQuietly(server.address, `/slots?model=${encodeURIComponent(server.model)}`, signal)
  if (!Array.isArray(slots)) return undefined
  return slots.filter((slot) => asFields(slot)['is_processing'] === true).length
}
