// Keys as the console sees them: never their digests.

import { and, eq, isNull } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import { omitNulls, type Present } from '../database/omit-nulls.ts'
import { apiKey } from '../tables/keys.ts'
import { person } from '../tables/people.ts'

/** A missing field means no limit. */
export interface KeyLimits {
  requestsPerMinute?: number
  tokensPerMinute?: number
  jobsAtOnce?: number
  /** A budget: of a calendar month, UTC. */
  tokensPerMonth?: number
}

/** As someone asks for them. */
export type WantedLimits = { [Name in keyof KeyLimits]: KeyLimits[Name] | undefined }

/** A key of an organization, without playground keys. With `createdBy`, only if this person created it. */
export interface KeyChoice {
  organization: string
  key: string
  createdBy?: string
}

const limits = {
  requestsPerMinute: apiKey.requestsPerMinute,
  tokensPerMinute: apiKey.tokensPerMinute,
  jobsAtOnce: apiKey.jobsAtOnce,
  tokensPerMonth: apiKey.tokensPerMonth,
}

const columns = {
  id: apiKey.id,
  organization: apiKey.organizationId,
  createdBy: apiKey.createdBy,
  createdByName: person.name,
  name: apiKey.name,
  hint: apiKey.hint,
  createdAt: apiKey.createdAt,
  limits,
  models: apiKey.models,
  expiresAt: apiKey.expiresAt,
  revokedAt: apiKey.revokedAt,
  disabledAt: apiKey.disabledAt,
  lastUsedAt: apiKey.lastUsedAt,
  previousHint: apiKey.previousHint,
  previousEndsAt: apiKey.previousEndsAt,
}

export function selectKeys(handle: Handle) {
  return handle.select(columns).from(apiKey).innerJoin(person, eq(person.id, apiKey.createdBy))
}

type KeyRow = Awaited<ReturnType<typeof selectKeys>>[number]

export type Key = Present<Omit<KeyRow, 'limits' | 'previousHint' | 'previousEndsAt'>> & {
  limits: KeyLimits
  /** The secret from before the last rotation. */
  previous?: { hint: string; endsAt: Date }
}

export function toKey({ limits, previousHint, previousEndsAt, ...row }: KeyRow): Key {
  const previous = previousHint !== null && previousEndsAt !== null && { hint: previousHint, endsAt: previousEndsAt }
  return { ...omitNulls(row), limits: omitNulls(limits), ...(previous && { previous }) }
}

export function isChosen({ organization, key, createdBy }: KeyChoice) {
  const isOwn = createdBy === undefined ? undefined : eq(apiKey.createdBy, createdBy)
  return and(eq(apiKey.organizationId, organization), eq(apiKey.id, key), isOwn, isNull(apiKey.sessionId))
}

/** For the audit log. */
export function describeKey({
  hint,
  expiresAt,
  models,
  limits,
}: Pick<Key, 'hint' | 'expiresAt' | 'models' | 'limits'>) {
  return { hint, ...(expiresAt && { expiresAt: expiresAt.toISOString() }), ...(models && { models }), ...limits }
}

/** A value for each limit, so that those left out are removed. */
export function limitColumns({ requestsPerMinute, tokensPerMinute, jobsAtOnce, tokensPerMonth }: WantedLimits) {
  return {
    requestsPerMinute: requestsPerMinute ?? null,
    tokensPerMinute: tokensPerMinute ?? null,
    jobsAtOnce: jobsAtOnce ?? null,
    tokensPerMonth: tokensPerMonth ?? null,
  }
}
