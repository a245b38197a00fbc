// Opens the book of keys, models and devices, and acts when access is revoked.

import { setTimeout as sleep } from 'node:timers/promises'
import { AccessBook } from '../access/book/access-book.ts'
import type { RateLimiter } from '../access/limits/rate-limit.ts'
import type { Config } from '../config.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Base } from './base.ts'
import type { Meters } from './meters.ts'

/** Well below the silence after which the store counts as gone. */
const ACCESS_CHECK_MS = 1_000

/** Nothing that changes access waits longer for usage to be written. */
const WRITE_MS = 1_000

export function openBook(config: Config, { store, onStoreError }: Base, { ledger, spending }: Meters): AccessBook {
  return new AccessBook({
    store,
    pollMs: ACCESS_CHECK_MS,
    graceMs: config.STORE_GRACE_S * 1_000,
    onError: onStoreError,
    tellOthers: () => store.changesAreKnown(),
    // A new budget counts what was used before it, too: first that has to be written.
    onBudgets: async () => {
      await Promise.race([ledger.flush(), sleep(WRITE_MS, undefined, { ref: false })])
      await spending.read()
    },
  })
}

/** Revoked access takes effect on running jobs and links too. */
export function applyAccess(book: AccessBook, fleet: Fleet, limiter: RateLimiter): void {
  book.listen({
    lost: ({ keys, models, devices }) => {
      for (const key of keys) fleet.keyRevoked(key)
      for (const key of keys) limiter.forget(key)
      for (const { organization, name } of models) fleet.modelClosed(organization, name)
      for (const device of devices) fleet.disconnect(device)
    },
    defaultsChanged: (models) => fleet.defaultsChanged(models),
    paused: (devices) => {
      for (const device of devices) fleet.pauseChanged(device, book.isPaused(device))
    },
  })
}
