// Which gateways form the service right now, and which one of them schedules an organization. Nothing here knows PostgreSQL or the bus.

import type { View } from './core/view.ts'

export interface Peers {
  readonly self: string
  /** The one that this gateway acts under; empty before it has joined and after it was removed. */
  readonly view: View
  /** May this gateway schedule the organization at this moment? Cheap: ask before every grant, because leadership can run out between two lines. */
  maySchedule(organization: string): boolean
  /** Called when peers, schedulers or the answers of `maySchedule` have changed. Leadership that runs out is noticed late, so ask `maySchedule` anyway. */
  onChange(listener: () => void): () => void
  /** The number of the next link. Higher than all before it, whichever gateway took them. */
  nextEpoch(): Promise<number>
  status(): PeersStatus
  /** Gives up all organizations, so that others can take them over at once. */
  leave(): Promise<void>
}

/** What the view doesn't say. */
export interface PeersStatus {
  /** May this gateway schedule anything? */
  hasLeadership: boolean
  isSettled: boolean
  isWithoutDatabase: boolean
}
