// Permissions within an organization: one table, role × action. Anything not in the table is forbidden. `own` covers only what the person
// created: their keys, and the usage of those keys.

import type { Role } from '../store/tables/people.ts'

export type Reach = 'all' | 'own' | 'none'

const EVERYONE = { owner: 'all', admin: 'all', member: 'all' } as const
const ADMINS = { owner: 'all', admin: 'all', member: 'none' } as const
const OWNERS = { owner: 'all', admin: 'none', member: 'none' } as const
const OWN_OR_ADMINS = { owner: 'all', admin: 'all', member: 'own' } as const

export const POLICY = {
  'organization.read': EVERYONE,
  'organization.change': OWNERS,
  'organization.delete': OWNERS,
  'organization.export': OWNERS,
  'sealing.read': EVERYONE,
  'sealing.change': ADMINS,
  'models.read': EVERYONE,
  'models.change': ADMINS,
  'devices.read': EVERYONE,
  'devices.change': ADMINS,
  'devices.enrol': ADMINS,
  'keys.read': OWN_OR_ADMINS,
  'keys.create': EVERYONE,
  'keys.change': OWN_OR_ADMINS,
  'keys.revoke': OWN_OR_ADMINS,
  'playground.use': EVERYONE,
  'members.read': EVERYONE,
  'members.invite': ADMINS,
  'members.change': ADMINS,
  'members.remove': ADMINS,
  'members.leave': EVERYONE,
  'usage.read': OWN_OR_ADMINS,
  'audit.read': ADMINS,
  'events.read': EVERYONE,
} as const satisfies Record<string, Record<Role, Reach>>

export type Action = keyof typeof POLICY

export function reachOf(role: Role, action: Action): Reach {
  return POLICY[action][role]
}

/** In an organization that is being deleted, people only look, leave, and restore it. */
export function isAllowedWhileDeleted(action: Action): boolean {
  return action.endsWith('.read') || ['organization.delete', 'organization.export', 'members.leave'].includes(action)
}

/** Roles that a person with this role may grant, and may take from others: nobody can grant more than they have. */
export const GRANTS: Readonly<Record<Role, readonly Role[]>> = {
  owner: ['owner', 'admin', 'member'],
  admin: ['admin', 'member'],
  member: [],
}
