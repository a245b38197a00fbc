// Used by every part of the gateway.

import { getHeapStatistics } from 'node:v8'
import { openBudgets, type MemoryBudgets } from '../budget/memory-budgets.ts'
import type { Config } from '../config.ts'
import { describeFault } from '../observe/describe-fault.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/store.ts'

const MIB = 1024 * 1024

export interface Base {
  store: Store
  log: Log
  budgets: MemoryBudgets
  /** Aborted when the gateway starts to shut down: /readyz returns 503, and it keeps serving until load balancers stop sending requests. */
  leaving: AbortController
  /** Aborted when it stops accepting new requests. */
  closing: AbortController
  onStoreError: (error: unknown) => void
  onInternalError: (error: unknown, where: string) => void
}

export function openBase(config: Config, store: Store, log: Log): Base {
  return {
    store,
    log,
    budgets: openBudgets({
      totalBytes: config.MEMORY_BUDGET_MB === '' ? undefined : config.MEMORY_BUDGET_MB * MIB,
      heapLimitBytes: getHeapStatistics().heap_size_limit,
      maxBodyBytes: config.MAX_BODY_BYTES,
    }),
    leaving: new AbortController(),
    closing: new AbortController(),
    onStoreError: (error) => log.warn({ error: describeFault(error) }, 'store'),
    onInternalError: (error, where) => log.error({ where, error: describeFault(error) }, 'internal error'),
  }
}
