// Whether a request would be answered, and if not, why: for /readyz.

import type { AccessBook } from './access/access-book.ts'
import type { Scheduler } from './scheduler/scheduler.ts'

export interface ReadinessOptions {
  book: AccessBook
  scheduler: Scheduler
  needsDevice: boolean
  isDraining: () => boolean
}

/** Empty when it would. */
export function listObstacles({ book, scheduler, needsDevice, isDraining }: ReadinessOptions): string[] {
  const obstacles = []
  if (isDraining()) obstacles.push('shutting down')
  if (!book.isFresh) obstacles.push('the store has not answered lately')
  if (needsDevice && !isAnyModelServed(scheduler, book)) obstacles.push('no device serves an enabled model')
  return obstacles
}

function isAnyModelServed(scheduler: Scheduler, book: AccessBook): boolean {
  const { served } = scheduler.core.stats(performance.now())
  return served.some(
    ({ organization, model, slots, isDraining }) =>
      slots > 0 && !isDraining && book.models(organization).get(model)?.state === 'enabled',
  )
}
