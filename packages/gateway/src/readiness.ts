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
export function listObstacles({ book, fleet, needsDevice, isLeaving }: ReadinessOptions): string[] {
  const obstacles = []
  if (isLeaving()) obstacles.push('shutting down')
  if (!book.isFresh) obstacles.push('the store has not answered lately')
  if (needsDevice && !isAnyModelServed(fleet, book)) obstacles.push('no device serves an enabled model')
  return obstacles
}

function isAnyModelServed(fleet: Fleet, book: AccessBook): boolean {
  return fleet
    .stats()
    .served.some(({ organization, model }) => book.models(organization).get(model)?.state === 'enabled')
}
