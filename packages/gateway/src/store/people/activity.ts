// What happened to people's ways to sign in: for themselves, and for the audit logs of their organizations. Anyone who knows an address can
// give wrong passwords for it, so those of an hour are one row here and one entry there.

import { and, desc, eq, gt, inArray, lt, lte, sql } from 'drizzle-orm'
import { insertEntries, type Actor } from '../audit.ts'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { takeUpkeep } from '../database/upkeep-lock.ts'
import { accountActivity, type AccountEvent, type SignInWay } from '../tables/activity.ts'
import { member, person } from '../tables/people.ts'

export const activityQueries = { listActivity, ...inTransaction({ recordActivity, pruneActivity }) }

/** Of one person. */
export const MOST_KEPT = 500
/** More than anybody looks through. */
const MOST_LISTED = 100
const SAME_FAILURE_MS = 3_600_000

export interface Activity {
  person: string
  event: AccountEvent
  way?: SignInWay | undefined
  address?: string | undefined
  /** A user agent. */
  browser?: string | undefined
}

/** Newest first. */
async function listActivity({ query }: Database, id: string) {
  const { event, way, address, browser, at, lastAt, times } = accountActivity
  return await query
    .select({ id: accountActivity.id, event, way, address, browser, at, lastAt, times })
    .from(accountActivity)
    .where(eq(accountActivity.personId, id))
    .orderBy(desc(accountActivity.id))
    .limit(MOST_LISTED)
}

/** `isThem` says that the person was signed in: someone who gives a wrong password to sign in may be anyone. */
async function recordActivity(
  transaction: Handle,
  { isThem, ...activity }: Activity & { isThem: boolean },
): Promise<void> {
  const isFailure = activity.event === 'wrong-password' || activity.event === 'wrong-code'
  if (isFailure && (await countAgain(transaction, activity))) return
  await addActivity(transaction, activity)
  const { person: id, event, way, address } = activity
  const memberships = await transaction
    .select({ organization: member.organizationId, name: person.name })
    .from(member)
    .innerJoin(person, eq(person.id, member.personId))
    .where(eq(member.personId, id))
    .orderBy(member.organizationId)
  const entries = memberships.map(({ organization, name }) => ({
    organization,
    actor: actorOf(isThem ? { id, name } : undefined, address),
    action: `member.${event}`,
    object: { kind: 'member', id, name },
    ...(way && { after: { way } }),
    isRefused: isFailure,
  }))
  await insertEntries(transaction, entries)
}

function actorOf(known: { id: string; name: string } | undefined, address: string | undefined): Actor {
  return { kind: 'person', ...(known ?? { name: 'Someone' }), ...(address !== undefined && { address }) }
}

/** For events that have an entry in the audit log of their own. */
export async function addActivity(
  transaction: Handle,
  { person: id, event, way, address, browser }: Activity,
): Promise<void> {
  await transaction.insert(accountActivity).values({ personId: id, event, way, address, browser })
  const isTheirs = eq(accountActivity.personId, id)
  const tooOld = transaction
    .select({ id: accountActivity.id })
    .from(accountActivity)
    .where(isTheirs)
    .orderBy(desc(accountActivity.id))
    .offset(MOST_KEPT)
    .limit(1)
  await transaction.delete(accountActivity).where(and(isTheirs, lte(accountActivity.id, tooOld)))
}

/** Adds a failure to the row of this hour. False if there is none yet. */
async function countAgain(transaction: Handle, { person: id, event, address, browser }: Activity): Promise<boolean> {
  // Two failures at the same moment are one row too.
  await transaction.select({ id: person.id }).from(person).where(eq(person.id, id)).for('no key update')
  const [latest] = await transaction
    .select({ id: accountActivity.id })
    .from(accountActivity)
    .where(
      and(
        eq(accountActivity.personId, id),
        eq(accountActivity.event, event),
        gt(accountActivity.at, new Date(Date.now() - SAME_FAILURE_MS)),
      ),
    )
    .orderBy(desc(accountActivity.id))
    .limit(1)
  if (!latest) return false
  await transaction
    .update(accountActivity)
    .set({
      times: sql`${accountActivity.times} + 1`,
      lastAt: sql`now()`,
      address: sql`case when ${accountActivity.address} = ${address ?? null} then ${accountActivity.address} end`,
      browser: sql`case when ${accountActivity.browser} = ${browser ?? null} then ${accountActivity.browser} end`,
    })
    .where(eq(accountActivity.id, latest.id))
  return true
}

/** Deletes rows that are older, at most `limit`; returns how many. */
async function pruneActivity(transaction: Handle, { before, limit }: { before: Date; limit: number }): Promise<number> {
  if (!(await takeUpkeep(transaction))) return 0
  const old = transaction
    .select({ id: accountActivity.id })
    .from(accountActivity)
    .where(lt(accountActivity.lastAt, before))
    .limit(limit)
  const { rowCount } = await transaction.delete(accountActivity).where(inArray(accountActivity.id, old))
  return rowCount ?? 0
}
