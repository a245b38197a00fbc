import { randomUUIDv7 } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Database, Handle } from './database.ts'
import type { Member, Role, Store } from './store.ts'
import { member, person } from './tables.ts'

type MemberQueries = Pick<Store, 'addMember' | 'removeMember' | 'listMembers'>

export function memberQueries({ query, transact }: Database): MemberQueries {
  return {
    addMember(input) {
      return transact((transaction) => joinOrganization(transaction, input))
    },

    async removeMember({ organization, person }) {
      const removed = await query
        .delete(member)
        .where(and(eq(member.organizationId, organization), eq(member.personId, person)))
        .returning({ id: member.id })
      return removed.length > 0
    },

    listMembers(organization) {
      return query
        .select({
          organization: member.organizationId,
          person: member.personId,
          email: person.email,
          name: person.name,
          role: member.role,
        })
        .from(member)
        .innerJoin(person, eq(person.id, member.personId))
        .where(eq(member.organizationId, organization))
        .orderBy(asc(person.email))
    },
  }
}

/** A person is known by the e-mail address and keeps the name given first; whoever is a member already gets the new role. */
export async function joinOrganization(
  transaction: Handle,
  { organization, email, name, role }: { organization: string; email: string; name: string; role: Role },
): Promise<Member> {
  const [known] = await transaction
    .insert(person)
    .values({ id: randomUUIDv7(), email: email.toLowerCase(), name })
    .onConflictDoUpdate({ target: person.email, set: { email: sql`excluded.email` } })
    .returning({ person: person.id, email: person.email, name: person.name })
  await transaction
    .insert(member)
    .values({ id: randomUUIDv7(), organizationId: organization, personId: known!.person, role })
    .onConflictDoUpdate({ target: [member.organizationId, member.personId], set: { role } })
  return { organization, ...known!, role }
}
