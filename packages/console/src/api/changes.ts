// The kinds of change that the gateway announces, and the queries that each makes out of date, by the first word of their path.

import { ME, queryClient } from './query-client.ts'

const OUTDATED_BY = {
  devices: ['devices', 'models', 'enrolments', 'overview', 'sealing'],
  models: ['models', 'devices', 'overview'],
  keys: ['keys', 'members', 'overview', 'budgets'],
  members: ['members', 'invitations', 'keys', 'overview', 'budgets'],
  usage: ['usage', 'requests', 'budgets'],
  organization: ['organization', 'overview', 'sealing', 'budgets'],
} as const satisfies Record<string, readonly string[]>

export type Change = keyof typeof OUTDATED_BY

/** A newer gateway may announce kinds of change that this console doesn't know. */
export function isChange(name: string): name is Change {
  return Object.hasOwn(OUTDATED_BY, name)
}

/** Always includes the audit log, because every change adds an entry to it. */
export async function refetchChanged(organization: string, changes: readonly Change[]): Promise<void> {
  const names = new Set<unknown>([...changes.flatMap((change) => OUTDATED_BY[change]), 'audit'])
  // A role change may affect what the viewer can do.
  if (changes.includes('organization') || changes.includes('members')) void refetchMe()
  await queryClient.invalidateQueries({
    predicate: ({ queryKey: [owner, name] }) => owner === organization && names.has(name),
  })
}

/** After signing in or joining an organization, this brings up the page behind it. */
export async function refetchMe(): Promise<void> {
  await queryClient.invalidateQueries({ queryKey: ME })
}

export async function refetchEverything(): Promise<void> {
  await queryClient.invalidateQueries()
}
