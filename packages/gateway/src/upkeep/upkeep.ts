// What a gateway does for its database on the side, for as long as it runs.

import type { Config } from '../config.ts'
import type { GatewayMetrics } from '../observe/gateway-metrics.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/store.ts'
import { sweepDeletions } from '../access/deletion-sweep.ts'
import { pauseUntil, sweepPlaygroundKeys } from '../access/playground-sweep.ts'
import { keepRetention } from './retention.ts'

export interface UpkeepParts {
  store: Store
  log: Log
  metrics: GatewayMetrics
  closing: AbortController
  onStoreError: (error: unknown) => void
}

export function startUpkeep(config: Config, { store, log, metrics, closing, onStoreError }: UpkeepParts): void {
  const sweep = { store, onError: onStoreError, pause: pauseUntil(closing.signal) }
  void sweepPlaygroundKeys(sweep)
  void sweepDeletions(sweep)
  void keepRetention({
    ...sweep,
    months: { usage: config.USAGE_HOURLY_MONTHS, audit: config.AUDIT_MONTHS },
    onSizes: (sizes) => (metrics.upkeep.tables = sizes),
    onTidied: (done) => log.info(done, 'old usage is kept by the day now, and old entries of the audit log are gone'),
  })
}
