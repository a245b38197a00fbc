import { randomUUIDv7 } from 'node:crypto'
import { and, asc, eq } from 'drizzle-orm'
import type { By } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { onlyRow } from '../database/only-row.ts'
import { requireRoom } from '../quota.ts'
import { member, organization, person } from '../tables/people.ts'
import { findOrAddPerson, insertMember } from './member-rows.ts'
import {
  lockOrganization,
  organizationColumns,
  recordOrganizationChange,
  type Organization,
} from './organization-rows.ts'

export const organizationQueries = {
  listOrganizations,
  ...inTransaction({ createOrganization, renameOrganization, changeSettings }),
}

export interface NewOrganization {
  name: string
  owner?: { email: string; name: string } | { person: string }
  /** How many organizations the owner may have. */
  mostOwned?: number
}

/** Without an owner the organization has no members, so no key can be created. */
async function createOrganization(
  transaction: Handle,
  { name, owner, mostOwned, by }: NewOrganization & By,
): Promise<Organization> {
  const created = await insertOrganization(transaction, name)
  if (owner) {
    const { person: id } = 'person' in owner ? owner : await findOrAddPerson(transaction, owner)
    if (mostOwned !== undefined) await checkOwned(transaction, id, mostOwned)
    await insertMember(transaction, { organization: created.id, person: id, role: 'owner' })
  }
  await recordOrganizationChange(transaction, created, { by, action: 'organization.create', after: { name } })
  return created
}

/** Each organization has shares of the gateway's memory and queues of its own, so nobody may have any number of them. */
async function checkOwned(transaction: Handle, owner: string, most: number): Promise<void> {
  // Two must not take the last place.
  await transaction.select({ id: person.id }).from(person).where(eq(person.id, owner)).for('no key update')
  const isOwned = and(eq(member.personId, owner), eq(member.role, 'owner'))
  const owned = await transaction.$count(member, isOwned)
  requireRoom(owned, most, {
    change: 'create the organization',
    who: 'this person',
    things: 'organizations',
    remedy: 'Leave or hand over one that you no longer need',
    setting: 'ORGANIZATIONS_PER_PERSON',
  })
}

/** False if the organization does not exist. */
async function renameOrganization(
  transaction: Handle,
  { organization: id, name, by }: { organization: string; name: string } & By,
): Promise<boolean> {
  const found = await lockOrganization(transaction, id)
  if (!found) return false
  await transaction.update(organization).set({ name }).where(eq(organization.id, id))
  const change = { before: { name: found.name }, after: { name } }
  await recordOrganizationChange(transaction, found, { by, action: 'organization.rename', ...change })
  return true
}

export interface OrganizationSettings {
  /** Devices reuse no prompts across keys. */
  separatesPrefixes?: boolean | undefined
  /** Null means no budget. */
  tokensPerMonth?: number | null | undefined
}

/** False if the organization does not exist. */
async function changeSettings(
  transaction: Handle,
  { organization: id, by, ...settings }: { organization: string } & OrganizationSettings & By,
): Promise<boolean> {
  const found = await lockOrganization(transaction, id)
  if (!found) return false
  const before = pick(found)
  const { separatesPrefixes = before.separatesPrefixes, tokensPerMonth = before.tokensPerMonth } = settings
  const after = { separatesPrefixes, tokensPerMonth }
  if (JSON.stringify(after) === JSON.stringify(before)) return true
  await transaction.update(organization).set(after).where(eq(organization.id, id))
  await recordOrganizationChange(transaction, found, { by, action: 'organization.change', before, after })
  return true
}

function pick({ separatesPrefixes, tokensPerMonth }: Organization) {
  return { separatesPrefixes, tokensPerMonth }
}

function listOrganizations({ query }: Database): Promise<Organization[]> {
  return query.select(organizationColumns).from(organization).orderBy(asc(organization.createdAt), asc(organization.id))
}

export async function insertOrganization(transaction: Handle, name: string): Promise<Organization> {
  const id = randomUUIDv7()
  const [created] = await insert(slugOf(name))
  // The end of the id is random, so a second "Acme" becomes acme-1f6a3b.
  return created ?? onlyRow(await insert(`${slugOf(name)}-${id.slice(-6)}`))

  function insert(slug: string): Promise<Organization[]> {
    const values = { id, name, slug }
    return transaction.insert(organization).values(values).onConflictDoNothing().returning(organizationColumns)
  }
}

/** The name in a form that fits in a URL: `Café & Söhne` becomes `cafe-sohne`. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'organization'
}
