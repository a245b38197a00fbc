// Why requests would fail right now, for /readyz.

import type { AccessBook } from './access/access-book.ts'
import type { Fleet } from './fleet/fleet.ts'

export interface ReadinessOptions {
  book: AccessBook
  fleet: Fleet
  needsDevice: boolean
  isLeaving: () => boolean
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
