// The latest requests of each organization, in a ring: request number n is in slot n modulo the size of the ring. Pages are read by slot, so
// no page costs more than the rows it looks at.

import { and, desc, eq, getTableColumns, gte, lt, lte, or, sql, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Database, Handle } from '../database/database.ts'
import { device } from '../tables/devices.ts'
import { apiKey } from '../tables/keys.ts'
import { person } from '../tables/people.ts'
import { recentRequest, requestCount } from '../tables/usage.ts'

export const requestQueries = { listRequests }

/** One request: what it was about, how it ended and how long it took. */
export interface RequestRow {
  /** When it ended. */
  at: Date
  /** The id that the client got with the response. */
  request: string
  organization: string
  key: string
  model: string
  /** Empty if no device answered. */
  device: string
  /** Empty if it was answered, `canceled` if its client left, otherwise the code of its error. */
  code: string
  promptTokens: number
  completionTokens: number
  waitMs: number
  /** Undefined if there was no first token. */
  firstTokenMs: number | undefined
  totalMs: number
  /** How often it was offered to a device. */
  attempts: number
  isStream: boolean
  /** The gateway could not read it. */
  isSealed: boolean
  /** Another device continued the reply of `left`, after `gapMs` without any of it. */
  takeOver: { left: string; gapMs: number } | undefined
}

export interface ListedRequest extends RequestRow {
  /** Increases by one with every request of the organization. */
  number: number
  keyName: string
  deviceName: string
  /** The name of the device that another one took over from; undefined if none did. */
  leftName: string | undefined
}

export interface RequestQuestion {
  organization: string
  /** Only requests before this number. */
  before?: number | undefined
  limit: number
  /** The id that the client got with the response. */
  request?: string | undefined
  key?: string | undefined
  model?: string | undefined
  device?: string | undefined
  /** `answered`, `canceled`, `failed` for all errors, or the code of an error. */
  code?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
  /** Only keys that this person created. */
  createdBy?: string
}

export interface RequestPage {
  requests: ListedRequest[]
  /** Pass it as `before` to get the next page; undefined if there is none. */
  next?: number
}

export interface RequestRing extends Database {
  /** The size of the ring: how many requests are listed, per organization. */
  readonly keptRequests: number
}

/** A search for rare requests looks at ten times more each time, so that it takes few queries and the usual one stays small. */
const WIDEN = 10

/** All but the organization, the slot and the number, in the order of the table. */
const COLUMNS = Object.values(getTableColumns(recentRequest))
  .map(({ name }) => name)
  .slice(3)

/** Numbers are given out under a lock on the organization's row, so that several gateways never take the same one. */
export async function addRequests(transaction: Handle, rows: readonly RequestRow[], ring: number): Promise<void> {
  if (rows.length === 0) return
  const column = (read: (row: RequestRow) => string | number | boolean | null) => sql.param(rows.map(read))
  const names = sql.raw(COLUMNS.join(', '))
  await transaction.execute(sql`
    with batch as (
      select * from unnest(
        ${column((row) => row.organization)}::text[], ${column((row) => row.at.toISOString())}::timestamptz[],
        ${column((row) => row.request)}::text[], ${column((row) => row.key)}::text[], ${column((row) => row.model)}::text[],
        ${column((row) => row.device)}::text[], ${column((row) => row.code)}::text[],
        ${column((row) => row.promptTokens)}::integer[], ${column((row) => row.completionTokens)}::integer[],
        ${column((row) => row.waitMs)}::integer[], ${column((row) => row.firstTokenMs ?? null)}::integer[],
        ${column((row) => row.totalMs)}::integer[], ${column((row) => row.attempts)}::integer[],
        ${column((row) => row.isStream)}::boolean[], ${column((row) => row.isSealed)}::boolean[],
        ${column((row) => row.takeOver?.left ?? null)}::text[], ${column((row) => row.takeOver?.gapMs ?? null)}::integer[]
      ) with ordinality as batch(organization_id, ${names}, place)
    ), counts as (
      insert into ${requestCount} (organization_id, last)
      select organization_id, count(*) from batch group by 1 order by 1
      on conflict (organization_id) do update set last = request_count.last + excluded.last
      returning organization_id, last
    ), numbered as (
      select batch.*, last - row_number() over (partition by organization_id order by place desc) + 1 as number, last
      from batch join counts using (organization_id)
    )
    insert into ${recentRequest} (organization_id, slot, number, ${names})
    select organization_id, number % ${ring}::integer, number, ${names}
    from numbered where number > last - ${ring}::integer
    order by 1, 3
    on conflict (organization_id, slot) do update set number = excluded.number,
      ${sql.raw(COLUMNS.map((name) => `${name} = excluded.${name}`).join(', '))}`)
}

/** The latest requests that match, newest first. */
async function listRequests(
  { query, keptRequests: ring }: RequestRing,
  question: RequestQuestion,
): Promise<RequestPage> {
  const last = await lastNumber(query, question.organization)
  const first = Math.max(1, last - ring + 1)
  const requests: ListedRequest[] = []
  let end = Math.min(question.before ?? last + 1, last + 1)
  for (let width = question.limit; end > first && requests.length < question.limit; width *= WIDEN) {
    const start = Math.max(first, end - width)
    const limit = question.limit - requests.length
    const found = await readNumbers(query, question, { start, end, limit, ring })
    requests.push(...found)
    const oldest = found.at(-1)
    end = oldest && requests.length === question.limit ? oldest.number : start
  }
  return { requests, ...(end > first && { next: end }) }
}

async function lastNumber(query: Handle, organization: string): Promise<number> {
  const [count] = await query
    .select({ last: requestCount.last })
    .from(requestCount)
    .where(eq(requestCount.organizationId, organization))
  return count?.last ?? 0
}

interface Numbers {
  start: number
  /** Not included. */
  end: number
  limit: number
  /** The size of the ring. */
  ring: number
}

async function readNumbers(query: Handle, question: RequestQuestion, numbers: Numbers): Promise<ListedRequest[]> {
  const rows = await query
    .select(listed)
    .from(recentRequest)
    .leftJoin(apiKey, eq(apiKey.id, recentRequest.keyId))
    .leftJoin(person, eq(person.id, apiKey.createdBy))
    .leftJoin(device, eq(device.id, recentRequest.deviceId))
    .leftJoin(leftDevice, eq(leftDevice.id, recentRequest.leftDeviceId))
    .where(and(isWithin(numbers), isAskedFor(question)))
    .orderBy(desc(recentRequest.number))
    .limit(numbers.limit)
  return rows.map(({ firstTokenMs, left, gapMs, leftName, ...row }) => ({
    ...row,
    firstTokenMs: firstTokenMs ?? undefined,
    takeOver: left === null || gapMs === null ? undefined : { left, gapMs },
    leftName: leftName ?? undefined,
  }))
}

const leftDevice = alias(device, 'left_device')

const {
  slot: _,
  organizationId: organization,
  keyId: key,
  deviceId,
  leftDeviceId: left,
  ...own
} = getTableColumns(recentRequest)

/** All playground keys of one person are one. A deleted key has only its id. */
const keyId = sql<string>`case when ${apiKey.sessionId} is null then ${key} else 'playground-' || ${apiKey.createdBy} end`

const listed = {
  ...own,
  organization,
  key: keyId,
  keyName: sql<string>`case when ${apiKey.sessionId} is null then coalesce(${apiKey.name}, ${key}) else 'Playground, ' || ${person.name} end`,
  device: deviceId,
  deviceName: sql<string>`coalesce(${device.name}, ${deviceId})`,
  left,
  leftName: sql<string | null>`coalesce(${leftDevice.name}, ${left})`,
}

/** By slot, which is indexed. A range that wraps around the ring is two ranges of slots. */
function isWithin({ start, end, ring }: Numbers): SQL | undefined {
  const { slot, number } = recentRequest
  const [low, high] = [start % ring, (end - 1) % ring]
  const isInSlots = low <= high ? and(gte(slot, low), lte(slot, high)) : or(gte(slot, low), lte(slot, high))
  return and(isInSlots, gte(number, start), lt(number, end))
}

function isAskedFor(question: RequestQuestion): SQL | undefined {
  const { organization, request, key, model, device, code, from, to, createdBy } = question
  return and(
    eq(recentRequest.organizationId, organization),
    request === undefined ? undefined : eq(recentRequest.request, request),
    key === undefined ? undefined : sql`${keyId} = ${key}`,
    model === undefined ? undefined : eq(recentRequest.model, model),
    device === undefined ? undefined : eq(recentRequest.deviceId, device),
    code === undefined ? undefined : hasCode(code),
    from && gte(recentRequest.at, from),
    to && lt(recentRequest.at, to),
    createdBy === undefined ? undefined : eq(apiKey.createdBy, createdBy),
  )
}

function hasCode(code: string): SQL {
  if (code === 'failed') return sql`${recentRequest.code} not in ('', 'canceled')`
  return eq(recentRequest.code, code === 'answered' ? '' : code)
}
