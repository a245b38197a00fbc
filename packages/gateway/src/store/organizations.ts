import { randomUUIDv7 } from 'node:crypto'
import { asc } from 'drizzle-orm'
import type { Database, Handle } from './database.ts'
import { joinOrganization } from './members.ts'
import type { Organization, Store } from './store.ts'
import { organization } from './tables.ts'

type OrganizationQueries = Pick<Store, 'createOrganization' | 'listOrganizations'>

const columns = { id: organization.id, name: organization.name, createdAt: organization.createdAt }

export function organizationQueries({ query, transact }: Database): OrganizationQueries {
  return {
    createOrganization({ name, owner }) {
      return transact(async (transaction) => {
        const created = await insertOrganization(transaction, name)
        if (owner) await joinOrganization(transaction, { organization: created.id, ...owner, role: 'owner' })
        return created
      })
    },

    listOrganizations() {
      return query.select(columns).from(organization).orderBy(asc(organization.createdAt), asc(organization.id))
    },
  }
}

async function insertOrganization(transaction: Handle, name: string): Promise<Organization> {
  const id = randomUUIDv7()
  const [created] = await insert(slugOf(name))
  // The end of the id is random: the second "Acme" becomes acme-1f6a3b.
  return created ?? (await insert(`${slugOf(name)}-${id.slice(-6)}`))[0]!

  function insert(slug: string): Promise<Organization[]> {
    return transaction.insert(organization).values({ id, name, slug }).onConflictDoNothing().returning(columns)
  }
}

/** The name as it may stand in an address: `Café & Söhne` becomes `cafe-sohne`. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'organization'
}
