import { randomUUIDv7 } from 'node:crypto'
import { asc, eq } from 'drizzle-orm'
import { recordChange } from './audit.ts'
import type { Database, Handle } from './database.ts'
import { findOrAddPerson, insertMember } from './members.ts'
import type { Organization, OrganizationStore } from './store.ts'
import { organization } from './tables.ts'

const columns = {
  id: organization.id,
  name: organization.name,
  createdAt: organization.createdAt,
  separatesPrefixes: organization.separatesPrefixes,
}

export function organizationQueries({ query, transact }: Database): OrganizationStore {
  return {
    createOrganization({ name, owner, by }) {
      return transact(async (transaction) => {
        const created = await insertOrganization(transaction, name)
        if (owner) {
          const { person } = 'person' in owner ? owner : await findOrAddPerson(transaction, owner)
          await insertMember(transaction, { organization: created.id, person, role: 'owner' })
        }
        await recordChange(transaction, { ...describe(created), by, action: 'organization.create', after: { name } })
        return created
      })
    },

    renameOrganization({ organization: id, name, by }) {
      return transact(async (transaction) => {
        const found = await lock(transaction, id)
        if (!found) return false
        await transaction.update(organization).set({ name }).where(eq(organization.id, id))
        const before = { name: found.name }
        await recordChange(transaction, {
          ...describe(found),
          by,
          action: 'organization.rename',
          before,
          after: { name },
        })
        return true
      })
    },

    changePrefixReuse({ organization: id, separatesPrefixes, by }) {
      return transact(async (transaction) => {
        const found = await lock(transaction, id)
        if (!found || found.separatesPrefixes === separatesPrefixes) return found !== undefined
        await transaction.update(organization).set({ separatesPrefixes }).where(eq(organization.id, id))
        await recordChange(transaction, {
          ...describe(found),
          by,
          action: 'organization.change',
          before: { separatesPrefixes: found.separatesPrefixes },
          after: { separatesPrefixes },
        })
        return true
      })
    },

    listOrganizations() {
      return query.select(columns).from(organization).orderBy(asc(organization.createdAt), asc(organization.id))
    },
  }
}

async function lock(transaction: Handle, id: string): Promise<Organization | undefined> {
  const [found] = await transaction
    .select(columns)
    .from(organization)
    .where(eq(organization.id, id))
    .for('no key update')
  return found
}

function describe({ id, name }: Organization) {
  return { organization: id, object: { kind: 'organization', id, name }, kinds: ['organization'] as const }
}

export async function insertOrganization(transaction: Handle, name: string): Promise<Organization> {
  const id = randomUUIDv7()
  const [created] = await insert(slugOf(name))
  // The end of the id is random, so a second "Acme" becomes acme-1f6a3b.
  return created ?? (await insert(`${slugOf(name)}-${id.slice(-6)}`))[0]!

  function insert(slug: string): Promise<Organization[]> {
    return transaction.insert(organization).values({ id, name, slug }).onConflictDoNothing().returning(columns)
  }
}

/** The name in a form that fits in a URL: `Café & Söhne` becomes `cafe-sohne`. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'organization'
}
