// Removes what is over from time to time: playground keys that have expired (people who come back remove their own), and organizations whose
// time has come after somebody deleted them. A gateway that is stopped in between, or another one, goes on where this one was.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../store/store.ts'

const FIRST_MS = 60_000
const HOUR_MS = 3_600_000
/** Long after the last usage of a key has been written. */
export const KEEP_EXPIRED_MS = 24 * HOUR_MS
/** Small, so that nothing else waits long for the store. */
const KEYS = 200
const MAX_BATCHES = 50
/** The rows of one transaction, and the pause between two, for the same reason. */
const ROWS = 500
const BREATH_MS = 50

export interface SweepOptions<Call extends keyof Store> {
  store: Pick<Store, Call>
  onError: (error: unknown) => void
  now?: () => number
  /** Resolves with false when the sweep should end. */
  pause: (ms: number) => Promise<boolean>
}

export async function sweepPlaygroundKeys(options: SweepOptions<'removePlaygroundKeys'>): Promise<void> {
  const { store, onError, now = Date.now, pause } = options
  for (let waitMs = FIRST_MS; await pause(waitMs); waitMs = HOUR_MS)
    await removeExpired(store, new Date(now() - KEEP_EXPIRED_MS)).catch(onError)
}

async function removeExpired(store: Pick<Store, 'removePlaygroundKeys'>, expiredBefore: Date): Promise<void> {
  for (let batch = 0; batch < MAX_BATCHES; batch++)
    if ((await store.removePlaygroundKeys({ expiredBefore, limit: KEYS })) < KEYS) return
}

export async function sweepDeletions({ store, onError, pause }: SweepOptions<'sweepOrganizations'>): Promise<void> {
  for (let waitMs = FIRST_MS; await pause(waitMs);)
    try {
      waitMs = (await store.sweepOrganizations({ limit: ROWS })) > 0 ? BREATH_MS : HOUR_MS
    } catch (error) {
      onError(error)
      waitMs = HOUR_MS
    }
}

/** A pause that ends early, with false, when the signal says so. */
export function pauseUntil(signal: AbortSignal): (ms: number) => Promise<boolean> {
  return (ms) => sleep(ms, true, { signal, ref: false }).catch(() => false)
}
