// A page of an organization's keys. The database filters, sorts and counts, so that ten thousand keys cost a page no more than a hundred.

import { and, asc, desc, eq, isNull, or, sql, type SQL } from 'drizzle-orm'
import type { Database, Handle } from '../database/database.ts'
import { onlyRow } from '../database/only-row.ts'
import { selectKeys, toKey, type Key } from './key-rows.ts'
import { apiKey } from '../tables/keys.ts'
import { person } from '../tables/people.ts'

/** `ended` keys are expired or revoked. */
export type ListedState = 'active' | 'disabled' | 'ended'

export interface KeyQuestion {
  organization: string
  /** Only keys that this person created. */
  createdBy?: string
  state?: ListedState | undefined
  /** Keys whose name, hint or creator contains this. */
  search?: string | undefined
  sort: 'name' | 'creator' | 'created' | 'used' | 'expires'
  isDescending: boolean
  offset: number
  limit: number
}

export interface KeyPage {
  keys: Key[]
  /** Keys that match the search, by state. */
  counts: Record<ListedState, number>
}

const isEnded = sql`(${apiKey.revokedAt} is not null or coalesce(${apiKey.expiresAt} <= now(), false))`

const IN_STATE: Record<ListedState, SQL> = {
  active: sql`(not ${isEnded} and ${apiKey.disabledAt} is null)`,
  disabled: sql`(not ${isEnded} and ${apiKey.disabledAt} is not null)`,
  ended: isEnded,
}

const SORT: Record<KeyQuestion['sort'], SQL> = {
  name: sql`lower(${apiKey.name})`,
  creator: sql`lower(${person.name})`,
  created: sql`${apiKey.createdAt}`,
  used: sql`${apiKey.lastUsedAt}`,
  expires: sql`${apiKey.expiresAt}`,
}

/** Some of the keys that match, and how many there are of each state. */
export async function pageKeys({ query }: Database, question: KeyQuestion): Promise<KeyPage> {
  const { state, sort, isDescending, offset, limit } = question
  const matches = isAskedFor(question)
  const direction = isDescending ? desc : asc
  const rows = await selectKeys(query)
    .where(and(matches, state && IN_STATE[state]))
    // Keys that were never used, or never expire, come last either way.
    .orderBy(sql`${SORT[sort]} is null`, direction(SORT[sort]), direction(apiKey.id))
    .offset(offset)
    .limit(limit)
  return { keys: rows.map(toKey), counts: await countKeys(query, matches) }
}

async function countKeys(query: Handle, matches: SQL | undefined): Promise<KeyPage['counts']> {
  const rows = await query
    .select({ active: countOf('active'), disabled: countOf('disabled'), ended: countOf('ended') })
    .from(apiKey)
    .innerJoin(person, eq(person.id, apiKey.createdBy))
    .where(matches)
  return onlyRow(rows)
}

function countOf(state: ListedState) {
  return sql`count(*) filter (where ${IN_STATE[state]})`.mapWith(Number)
}

function isAskedFor({ organization, createdBy, search = '' }: KeyQuestion): SQL | undefined {
  return and(
    eq(apiKey.organizationId, organization),
    isNull(apiKey.sessionId),
    createdBy === undefined ? undefined : eq(apiKey.createdBy, createdBy),
    ...search.split(/\s+/).filter(Boolean).map(containsWord),
  )
}

function containsWord(word: string): SQL | undefined {
  const pattern = `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`
  const isIn = (column: SQL) => sql`${column} ilike ${pattern}`
  return or(isIn(sql`${apiKey.name}`), isIn(sql`${apiKey.hint}`), isIn(sql`${person.name}`))
}
