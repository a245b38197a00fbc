// Deletes what people have deleted, when its time has come. A gateway that is stopped in between, or another one, goes on where this one was.

import type { Store } from '../store/store.ts'

const FIRST_MS = 60_000
const HOUR_MS = 3_600_000
/** Between two batches, so that nothing else waits long for the store. */
const BREATH_MS = 50
/** The rows of one transaction. */
const BATCH = 500

export interface DeletionSweepOptions {
  store: Pick<Store, 'sweepOrganizations'>
  onError: (error: unknown) => void
  /** Resolves with false when the sweep should end. */
  pause: (ms: number) => Promise<boolean>
}

export async function sweepDeletions({ store, onError, pause }: DeletionSweepOptions): Promise<void> {
  let waitMs = FIRST_MS
  while (await pause(waitMs)) {
    const deleted = await store.sweepOrganizations({ limit: BATCH }).catch((error: unknown) => {
      onError(error)
      return 0
    })
    waitMs = deleted > 0 ? BREATH_MS : HOUR_MS
  }
}
