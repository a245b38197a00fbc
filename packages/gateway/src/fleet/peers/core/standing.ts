// Where a gateway stands: outside, joined under a view, or gone for good.

import type { Query } from './queries.ts'
import type { View } from './view.ts'

export type Standing = { name: 'outside' } | Joined | { name: 'left' }

export interface Joined {
  name: 'joined'
  number: number
  /** The view that it acts under. */
  view: View
  /** The newest generation that the database has its acknowledgement of. */
  acknowledged: number
  turn: number
  /** Whom it heard at the last renewal. */
  hears: readonly number[]
}

/** A query that has no answer yet. */
export interface Running {
  query: Query
  startedAt: number
  /** The connection to the bus at that time. */
  session: number
}
