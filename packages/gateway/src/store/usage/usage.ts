// Counters per hour, and the latest requests. No content.

import { and, asc, desc, eq, getTableColumns, gte, lt, sql, type SQL } from 'drizzle-orm'
import { alias, type AnyPgColumn } from 'drizzle-orm/pg-core'
import { inTransaction } from '../database/bind-queries.ts'
import type { Database, Handle } from '../database/database.ts'
import { device } from '../tables/devices.ts'
import { apiKey } from '../tables/keys.ts'
import { person } from '../tables/people.ts'
import { usageCode, usageDay, usageHour, usageJournal, type UsageGrouping } from '../tables/usage.ts'
import { addRequests, requestQueries, type RequestRing, type RequestRow } from './requests.ts'
import { addMonthsFrom, budgetQueries } from './budgets.ts'
import { foldUsage } from './fold-usage.ts'
import {
  addCodesFrom,
  addDaysFrom,
  addUsageFrom,
  codeRows,
  sumTimes,
  usageRows,
  type Counters,
  type UsageCodeRow,
  type UsageRow,
} from './usage-addition.ts'

export const usageQueries = {
  ...budgetQueries,
  ...requestQueries,
  addUsage,
  forgetUsageJournal,
  listUsage,
  sumUsage,
  usagePoints,
  usageCodes,
  ...inTransaction({ foldUsage }),
}

/** The batches of a journal have increasing numbers and arrive in that order. */
export interface UsageBatchId {
  journal: string
  number: number
}

export interface UsageDetails {
  codes: readonly UsageCodeRow[]
  /** In the order in which they ended. */
  requests: readonly RequestRow[]
}

export type UsageStep = 'hour' | 'day'

export interface UsageQuestion {
  organization: string
  from: Date
  to: Date
  /** The group of each sum and point. */
  by: 'model' | 'key' | 'device'
  key?: string | undefined
  model?: string | undefined
  device?: string | undefined
  /** Only keys that this person created. */
  createdBy?: string
}

/** All playground keys of one person count as one. */
export interface UsageSum extends Counters {
  id: string
  name: string
  times: readonly number[]
}

export interface UsagePoint extends Counters {
  at: Date
  id: string
  times: readonly number[]
}

const { organizationId, keyId, deviceId, times: _, ...own } = getTableColumns(usageHour)
const columns = { ...own, organization: organizationId, key: keyId, device: deviceId }

const sums = {
  requests: summed(usageHour.requests),
  errors: summed(usageHour.errors),
  promptTokens: summed(usageHour.promptTokens),
  completionTokens: summed(usageHour.completionTokens),
  waitMs: summed(usageHour.waitMs),
  busyMs: summed(usageHour.busyMs),
  // Floating point, which the driver reads as numbers; counts are exact in it.
  times: sql<number[]>`${sumTimes('usage_hour.times')}::float8[]`,
}

/** The id of everything without an id of its own. No key, model or device has it. */
const OTHER_IDS = '\n'

/** Adds to the counters, in one transaction for the whole batch. With `batch`, does so only once, however often it is called. */
async function addUsage(
  { transact, keptRequests }: RequestRing,
  rows: readonly UsageRow[],
  batch?: UsageBatchId,
  details: UsageDetails = { codes: [], requests: [] },
): Promise<void> {
  if (rows.length === 0) return
  await transact(async (transaction) => {
    if (batch && !(await markBatch(transaction, batch))) return
    await transaction.execute(addUsageFrom(usageRows(rows)))
    if (details.codes.length > 0) await transaction.execute(addCodesFrom(codeRows(details.codes)))
    await addRequests(transaction, details.requests, keptRequests)
    await transaction.execute(addDaysFrom(usageRows(rows)))
    await transaction.execute(addMonthsFrom(usageRows(rows)))
  })
}

/** Call it when the journal no longer exists: its batches would be added again. */
async function forgetUsageJournal({ query }: Database, journal: string): Promise<void> {
  await query.delete(usageJournal).where(eq(usageJournal.id, journal))
}

function listUsage(
  { query }: Database,
  { organization, from, to }: Pick<UsageQuestion, 'organization' | 'from' | 'to'>,
): Promise<UsageRow[]> {
  return query
    .select(columns)
    .from(usageHour)
    .where(and(eq(usageHour.organizationId, organization), gte(usageHour.hour, from), lt(usageHour.hour, to)))
    .orderBy(asc(usageHour.hour), asc(usageHour.keyId), asc(usageHour.model), asc(usageHour.deviceId))
}

/** One for each id over the whole range, most requests first. */
function sumUsage({ query }: Database, question: UsageQuestion): Promise<UsageSum[]> {
  const { id, name } = BY[question.by]
  return query
    .select({ id, name, ...sums })
    .from(tableFor(question))
    .leftJoin(apiKey, eq(apiKey.id, usageHour.keyId))
    .leftJoin(person, eq(person.id, apiKey.createdBy))
    .leftJoin(device, eq(device.id, usageHour.deviceId))
    .where(and(isAskedFor(usageHour, question), isGroupedFor(question)))
    .groupBy(id, name)
    .orderBy(desc(sums.requests), id)
}

/** One for each step and id. All ids other than `ids` are one, with a line feed as its id. */
function usagePoints(
  { query }: Database,
  { step, ids, ...question }: UsageQuestion & { step: UsageStep; ids: readonly string[] },
): Promise<UsagePoint[]> {
  const at = sql<Date>`date_trunc(${sql.raw(`'${step}'`)}, ${usageHour.hour}, 'UTC')`.mapWith(usageHour.hour)
  const own = BY[question.by].id
  const id = sql<string>`case when ${own} = any(${sql.param([...ids])}::text[]) then ${own} else ${OTHER_IDS} end`
  // By their places: the parameters in the group would not be recognized as those of the column.
  return query
    .select({ at, id, ...sums })
    .from(tableFor(question, step))
    .leftJoin(apiKey, eq(apiKey.id, usageHour.keyId))
    .leftJoin(person, eq(person.id, apiKey.createdBy))
    .leftJoin(device, eq(device.id, usageHour.deviceId))
    .where(and(isAskedFor(usageHour, question), isGroupedFor(question, step)))
    .groupBy(sql`1`, sql`2`)
    .orderBy(sql`1`, sql`2`)
}

/** Failed requests by code, most first. */
function usageCodes({ query }: Database, question: UsageQuestion): Promise<{ code: string; requests: number }[]> {
  const requests = summed(usageCode.requests)
  return query
    .select({ code: usageCode.code, requests })
    .from(usageCode)
    .leftJoin(apiKey, eq(apiKey.id, usageCode.keyId))
    .where(isAskedFor(usageCode, question))
    .groupBy(usageCode.code)
    .orderBy(desc(requests), asc(usageCode.code))
}

/** False if the batch was added before. A second call waits for the transaction of the first. */
async function markBatch(transaction: Handle, { journal, number }: UsageBatchId): Promise<boolean> {
  const { rows } = await transaction.execute(sql`
    insert into ${usageJournal} (id, last_batch) values (${journal}, ${number})
    on conflict (id) do update set last_batch = excluded.last_batch where usage_journal.last_batch < excluded.last_batch
    returning 1`)
  return rows.length > 0
}

const DAY_MS = 86_400_000
const daily = alias(usageDay, 'usage_hour')

/** Sums of whole days are there already, under the same names as those of hours. */
function tableFor(question: UsageQuestion, step?: UsageStep): typeof usageHour {
  return groupingFor(question, step) === undefined ? usageHour : (daily as unknown as typeof usageHour)
}

function isGroupedFor(question: UsageQuestion, step?: UsageStep): SQL | undefined {
  const grouping = groupingFor(question, step)
  return grouping === undefined ? undefined : eq(daily.by, grouping)
}

/** Undefined if only the hours can tell. */
function groupingFor(question: UsageQuestion, step: UsageStep = 'day'): UsageGrouping | undefined {
  const { by, key, model, device, createdBy, from, to } = question
  if (step === 'hour' || [from, to].some((time) => time.getTime() % DAY_MS !== 0)) return undefined
  const asked = { key: key ?? createdBy, model, device }
  const parts = (['key', 'model', 'device'] as const).filter((part) => part === by || asked[part] !== undefined)
  return parts.length === 3 ? undefined : (parts.join(' ') as UsageGrouping)
}

/** Id and name of a group. A deleted key or device has only its id. */
const BY = {
  model: { id: sql<string>`${usageHour.model}`, name: sql<string>`${usageHour.model}` },
  key: {
    id: sql<string>`case when ${apiKey.sessionId} is null then ${usageHour.keyId} else 'playground-' || ${apiKey.createdBy} end`,
    name: sql<string>`case when ${apiKey.sessionId} is null then coalesce(${apiKey.name}, ${usageHour.keyId}) else 'Playground, ' || ${person.name} end`,
  },
  device: {
    id: sql<string>`${usageHour.deviceId}`,
    name: sql<string>`coalesce(${device.name}, ${usageHour.deviceId})`,
  },
}

function isAskedFor(
  table: typeof usageHour | typeof usageCode,
  { organization, from, to, key, model, device, createdBy }: UsageQuestion,
): SQL | undefined {
  return and(
    eq(table.organizationId, organization),
    gte(table.hour, from),
    lt(table.hour, to),
    key === undefined ? undefined : eq(table.keyId, key),
    model === undefined ? undefined : eq(table.model, model),
    device === undefined ? undefined : eq(table.deviceId, device),
    createdBy === undefined ? undefined : eq(apiKey.createdBy, createdBy),
  )
}

function summed(column: AnyPgColumn) {
  return sql<number>`sum(${column})`.mapWith(Number)
}
