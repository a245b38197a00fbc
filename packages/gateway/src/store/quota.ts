// How many of its things an organization may keep. Without a bound, one organization could slow down the lists and fill the memory of all.

import { StoreError } from './database/store-error.ts'

export interface OrganizationQuota {
  /** Invitations that nobody has used yet. */
  invitations: number
  /** Models that it enabled, disabled or is adding. */
  models: number
}

interface Quota {
  /** The change that needs room for one more, such as `create the invitation`. */
  change: string
  /** The organization, unless it says so. */
  who?: string
  things: string
  remedy: string
  setting: string
}

/** Says what to do, for the person and for the operator. */
export function requireRoom(count: number, most: number, quota: Quota): void {
  if (count < most) return
  const { change, who = 'the organization', things, remedy, setting } = quota
  const message = `Cannot ${change}: ${who} has ${count} of ${most} allowed ${things}. ${remedy}, or have the operator raise ${setting}`
  throw new StoreError('limit', message)
}
