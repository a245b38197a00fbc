import { eq, sql, type Column, type SQL } from 'drizzle-orm'
import { recordChange, type Change } from '../audit.ts'
import type { Handle } from '../database/database.ts'
import { organization } from '../tables/people.ts'

const { id, name, createdAt, separatesPrefixes, sealing, seal, tokensPerMonth, deletesAt } = organization
export const organizationColumns = { id, name, createdAt, separatesPrefixes, sealing, seal, tokensPerMonth, deletesAt }

export type Organization = Pick<typeof organization.$inferSelect, keyof typeof organizationColumns>

export async function lockOrganization(transaction: Handle, id: string): Promise<Organization | undefined> {
  const [found] = await transaction
    .select(organizationColumns)
    .from(organization)
    .where(eq(organization.id, id))
    .for('no key update')
  return found
}

export function recordOrganizationChange(
  transaction: Handle,
  { id, name }: Organization,
  change: Omit<Change, 'organization' | 'id' | 'name'>,
): Promise<void> {
  return recordChange(transaction, { organization: id, id, name, ...change })
}

/** Nobody joins an organization that is being deleted. */
export function isKept(id: Column): SQL {
  return sql`exists (select from ${organization} where ${organization.id} = ${id} and ${organization.deletesAt} is null)`
}
