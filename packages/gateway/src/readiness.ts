// Why requests would fail right now, or soon, for /readyz.

import type { AccessBook } from './access/access-book.ts'
import type { Fleet } from './fleet/fleet.ts'

export interface ReadinessOptions {
  book: AccessBook
  fleet: Fleet
  needsDevice: boolean
  isLeaving: () => boolean
}

/** What will stop the gateway if it goes on; empty if all is well. */
export function listWarnings({ book, fleet }: Pick<ReadinessOptions, 'book' | 'fleet'>): string[] {
  const warnings = []
  if (book.isStoreSilent) warnings.push(`the database has not answered for ${Math.floor(book.silentMs / 1_000)} s`)
  if (fleet.stats().between?.bus.isConnected === false)
    warnings.push('the message bus is gone: devices of other gateways cannot be reached')
  return warnings
}

/** Empty when the gateway is ready. */
export function listReasonsNotReady({ book, fleet, needsDevice, isLeaving }: ReadinessOptions): string[] {
  const reasons = []
  if (isLeaving()) reasons.push('shutting down')
  if (!book.isFresh) reasons.push('the store is not responding')
  if (needsDevice && !isAnyModelServed(fleet, book)) reasons.push('no device serves an enabled model')
  return reasons
}

function isAnyModelServed(fleet: Fleet, book: AccessBook): boolean {
  return fleet
    .stats()
    .served.some(({ organization, model }) => book.models(organization).get(model)?.state === 'enabled')
}
