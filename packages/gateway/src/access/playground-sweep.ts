// Removes expired playground keys from time to time. People who come back remove their own; this is for those who don't.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../store/store.ts'

const HOUR_MS = 3_600_000
/** Long after the last usage of a key has been written. */
export const KEEP_EXPIRED_MS = 24 * HOUR_MS
const FIRST_MS = 60_000
/** Small, so that nothing else waits long for the store. */
const BATCH = 200
const MAX_BATCHES = 50

export interface SweepOptions {
  store: Pick<Store, 'removePlaygroundKeys'>
  onError: (error: unknown) => void
  now?: () => number
  /** Resolves with false when the sweep should end. */
  pause: (ms: number) => Promise<boolean>
}

export async function sweepPlaygroundKeys({ store, onError, now = Date.now, pause }: SweepOptions): Promise<void> {
  for (let waitMs = FIRST_MS; await pause(waitMs); waitMs = HOUR_MS)
    await sweepOnce(store, new Date(now() - KEEP_EXPIRED_MS)).catch(onError)
}

async function sweepOnce(store: SweepOptions['store'], expiredBefore: Date): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++)
    if ((await store.removePlaygroundKeys({ expiredBefore, limit: BATCH })) < BATCH) return
}

/** A pause that ends early, with false, when the signal says so. */
export function pauseUntil(signal: AbortSignal): SweepOptions['pause'] {
  return (ms) => sleep(ms, true, { signal, ref: false }).catch(() => false)
}
