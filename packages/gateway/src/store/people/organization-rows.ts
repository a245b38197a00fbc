import { eq, sql, type Column, type SQL } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import { organization, type SealingMode } from '../tables/people.ts'

export interface Organization {
  id: string
  name: string
  createdAt: Date
  /** Devices reuse no prompts across API keys. */
  separatesPrefixes: boolean
  sealing: SealingMode
  /** The public half of the key that signs its lists. */
  seal: string | null
  /** It was deleted: it has no access, and nothing of it is left after this moment. */
  deletesAt: Date | null
}

export const organizationColumns = {
  id: organization.id,
  name: organization.name,
  createdAt: organization.createdAt,
  separatesPrefixes: organization.separatesPrefixes,
  sealing: organization.sealing,
  seal: organization.seal,
  deletesAt: organization.deletesAt,
}

export async function lockOrganization(transaction: Handle, id: string): Promise<Organization | undefined> {
  const [found] = await transaction
    .select(organizationColumns)
    .from(organization)
    .where(eq(organization.id, id))
    .for('no key update')
  return found
}

/** For the audit log. */
export function describeOrganization({ id, name }: Organization) {
  return { organization: id, object: { kind: 'organization', id, name }, kinds: ['organization'] as const }
}

/** Nobody joins an organization that is being deleted. */
export function isKept(id: Column): SQL {
  return sql`exists (select from ${organization} where ${organization.id} = ${id} and ${organization.deletesAt} is null)`
}
