// Where a person is signed in. The account library opens sessions and renews them; here their person sees and ends them.

import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { By } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { session } from '../tables/accounts.ts'
import { person } from '../tables/people.ts'
import { addActivity } from './activity.ts'
import { recordEverywhere } from './sign-in.ts'

export const sessionQueries = { listSessions, ...inTransaction({ endSessions }) }

/** More than anybody looks through. */
const MOST_LISTED = 100

async function listSessions({ query }: Database, { person: id, at }: { person: string; at: Date }) {
  return await query
    .select({
      id: session.id,
      address: session.ipAddress,
      browser: session.userAgent,
      createdAt: session.createdAt,
      lastSeenAt: session.updatedAt,
    })
    .from(session)
    .where(and(eq(session.userId, id), gt(session.expiresAt, at)))
    .orderBy(desc(session.updatedAt))
    .limit(MOST_LISTED)
}

type Which = { only: string } | { except: string }

/** One session, or all but one. Returns the IDs of those that have ended. */
async function endSessions(
  transaction: Handle,
  { person: id, by, browser, ...which }: { person: string; browser?: string | undefined } & By & Which,
): Promise<string[]> {
  const isMeant = 'only' in which ? eq(session.id, which.only) : ne(session.id, which.except)
  const ended = await transaction
    .delete(session)
    .where(and(eq(session.userId, id), isMeant))
    .returning({ id: session.id })
  if (ended.length === 0) return []
  const [known] = await transaction.select({ name: person.name }).from(person).where(eq(person.id, id))
  await addActivity(transaction, { person: id, event: 'end-sessions', address: by?.address, browser })
  await recordEverywhere(transaction, id, {
    by,
    action: 'member.end-sessions',
    name: known?.name ?? '',
    after: { sessions: ended.length },
  })
  return ended.map(({ id: one }) => one)
}
