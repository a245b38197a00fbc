// Which gateways form the service right now, and which one of them schedules an organization. Nothing here knows PostgreSQL or the bus.

export interface Member {
  /** Chosen at random when the process starts. */
  id: string
  /** Only grows. A gateway that was removed while it was away comes back with a higher number. */
  number: number
  /** Of the messages between gateways, not of the app. All members have the same one. */
  version: string
  /** The others don't hear it on the bus: it owns nothing until they do. */
  isSetAside: boolean
}

/** For metrics and readiness. */
export interface MembershipStatus {
  /** The ID of this gateway. */
  self: string
  members: number
  generation: number
  isMember: boolean
  /** Is it one that the others don't hear, and so owns nothing? */
  isSetAside: boolean
  /** May this gateway schedule anything? */
  hasLease: boolean
  /** Has everybody acknowledged the newest view? */
  isSettled: boolean
  isWithoutDatabase: boolean
}

export interface Membership {
  readonly self: string
  /** Of the view that this gateway acts under; empty before it has joined and after it was removed. */
  readonly members: readonly Member[]
  /** Those of them that own organizations: everyone whom the others hear. */
  readonly owners: readonly string[]
  /** Of that view. It only grows. */
  readonly generation: number
  /** The gateway that schedules the organization; undefined while there are no members. It may still be waiting for its predecessor. */
  ownerOf(organization: string): string | undefined
  /** May this gateway schedule the organization at this moment? Cheap: ask before every grant, because a lease can run out between two lines. */
  mayOwn(organization: string): boolean
  /** Called when members, owners or the answers of `mayOwn` have changed. A lease that runs out is noticed late, so ask `mayOwn` anyway. */
  onChange(listener: () => void): () => void
  /** The number of the next link. Higher than all before it, whichever gateway took them. */
  nextEpoch(): Promise<number>
  status(): MembershipStatus
  /** Gives up all organizations, so that others can take them over at once. */
  leave(): Promise<void>
}
