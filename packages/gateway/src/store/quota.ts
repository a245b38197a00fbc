// How many of its things an organization may keep. Without a bound, one organization could slow down the lists and fill the memory of all.

import { StoreError } from './database/store-error.ts'

export interface OrganizationQuota {
  /** Invitations that nobody has used yet. */
  invitations: number
  /** Models that it enabled, disabled or is adding. */
  models: number
}

interface Overrun {
  /** The rejected change, such as `create the invitation`. */
  change: string
  who: string
  count: number
  most: number
  things: string
  remedy: string
  setting: string
}

/** Says what to do, for the person and for the operator. */
export function overQuota({ change, who, count, most, things, remedy, setting }: Overrun): StoreError {
  const message = `Cannot ${change}: ${who} has ${count} of ${most} allowed ${things}. ${remedy}, or have the operator raise ${setting}`
  return new StoreError('limit', message)
}
