// Calls back at the end of this turn of the event loop. However many ask, they share one immediate.

import { gather } from '@hearth/chat'

export interface Turning {
  endTurn(): void
}

/** Calls `endTurn` once per call. */
export const atEndOfTurn = gather<Turning>(
  (takeAll) => setImmediate(takeAll),
  (turning) => turning.endTurn(),
)
