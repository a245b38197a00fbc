// Adds counters to the rows of an hour and of its day. Rows with the same key are added up first, because a statement may update a row only once, and they
// are sorted by key, so that two gateways never deadlock.

import { sql, type SQL } from 'drizzle-orm'
import { TIME_COUNTS } from './time-buckets.ts'
import { usageCode, usageDay, usageHour } from '../tables/usage.ts'

export interface Counters {
  requests: number
  /** Failures of the service. What clients did wrong is only in the rows of error codes. */
  errors: number
  promptTokens: number
  completionTokens: number
  waitMs: number
  /** Time that devices spent on requests. */
  busyMs: number
}

/** One hour (`hour` is its start, UTC) of one key, model and device. `device` is empty if no device answered. */
export interface UsageRow extends Counters, UsageKey {
  /** Histograms of `time-buckets`. */
  times?: readonly number[]
}

export interface UsageKey {
  hour: Date
  organization: string
  key: string
  /** Empty if the organization has no such model. */
  model: string
  device: string
}

/** Failed requests of one hour by their error code. */
export interface UsageCodeRow extends UsageKey {
  code: string
  requests: number
}

const COUNTERS = ['requests', 'errors', 'prompt_tokens', 'completion_tokens', 'wait_ms', 'busy_ms']

const SUMS = sql`${raw(COUNTERS.map((name) => `sum(${name})`).join(', '))}, ${sumTimes('times')}::integer[]`

/** Any number of rows with the columns of usage_hour, from a table or a subquery of this name. */
export function addUsageFrom(source: SQL): SQL {
  return sql`
    insert into ${usageHour} (hour, organization_id, key_id, model, device_id, ${raw(COUNTERS.join(', '))}, times)
    select hour, organization_id, key_id, model, device_id, ${SUMS}
    from ${source}
    group by 1, 2, 3, 4, 5
    order by 2, 1, 3, 4, 5
    on conflict (organization_id, hour, key_id, model, device_id) do update set ${addedTo('usage_hour')}`
}

/** The same rows as for usage_hour, which is how both always have the same sums. Add them last: gateways wait for each other here. */
export function addDaysFrom(source: SQL): SQL {
  return addDays(sql`
    select date_trunc('day', hour, 'UTC'), organization_id,
      case grouping(key_id, model, device_id) when 3 then 'key' when 5 then 'model' when 6 then 'device'
        when 1 then 'key model' when 2 then 'key device' else 'model device' end,
      coalesce(key_id, ''), coalesce(model, ''), coalesce(device_id, ''), ${SUMS}
    from ${source}
    group by 1, 2, grouping sets ((key_id), (model), (device_id), (key_id, model), (key_id, device_id), (model, device_id))`)
}

/** Rows with the columns of usage_day. */
export function addGroupedDaysFrom(source: SQL): SQL {
  return addDays(sql`
    select hour, organization_id, by, key_id, model, device_id, ${SUMS} from ${source} group by 1, 2, 3, 4, 5, 6`)
}

function addDays(rows: SQL): SQL {
  return sql`
    insert into ${usageDay} (hour, organization_id, by, key_id, model, device_id, ${raw(COUNTERS.join(', '))}, times)
    ${rows}
    order by 2, 3, 1, 4, 5, 6
    on conflict (organization_id, by, hour, key_id, model, device_id) do update set ${addedTo('usage_day')}`
}

function addedTo(table: string): SQL {
  const times = eachTime((bucket) => `coalesce(${table}.times[${bucket}], 0) + coalesce(excluded.times[${bucket}], 0)`)
  return raw(
    [...COUNTERS.map((name) => `${name} = ${table}.${name} + excluded.${name}`), `times = ${times}`].join(', '),
  )
}

export function addCodesFrom(source: SQL): SQL {
  return sql`
    insert into ${usageCode} (hour, organization_id, key_id, model, device_id, code, requests)
    select hour, organization_id, key_id, model, device_id, code, sum(requests)
    from ${source}
    group by 1, 2, 3, 4, 5, 6
    order by 2, 1, 3, 4, 5, 6
    on conflict (organization_id, hour, key_id, model, device_id, code) do update set
      requests = usage_code.requests + excluded.requests`
}

/** The sum of histograms. Every place is a sum of its own, which is many times faster than taking arrays apart. */
export function sumTimes(column: string): SQL {
  return raw(eachTime((bucket) => `coalesce(sum(${column}[${bucket}]), 0)`))
}

// One array per column, so that a batch of any size has a fixed number of parameters.
export function usageRows(rows: readonly UsageRow[]): SQL {
  const column = columnsOf(rows)
  return sql`(
    select hour, organization_id, key_id, model, device_id, ${raw(COUNTERS.join(', '))}, times_text::integer[] as times
    from unnest(
      ${column((row) => row.hour.toISOString())}::timestamptz[], ${column((row) => row.organization)}::text[],
      ${column((row) => row.key)}::text[], ${column((row) => row.model)}::text[], ${column((row) => row.device)}::text[],
      ${column((row) => row.requests)}::bigint[], ${column((row) => row.errors)}::bigint[],
      ${column((row) => row.promptTokens)}::bigint[], ${column((row) => row.completionTokens)}::bigint[],
      ${column((row) => Math.round(row.waitMs))}::bigint[], ${column((row) => Math.round(row.busyMs))}::bigint[],
      ${column((row) => `{${row.times?.join(',') ?? ''}}`)}::text[]
    ) as batch(hour, organization_id, key_id, model, device_id, ${raw(COUNTERS.join(', '))}, times_text)
  ) as batch`
}

export function codeRows(rows: readonly UsageCodeRow[]): SQL {
  const column = columnsOf(rows)
  return sql`unnest(
    ${column((row) => row.hour.toISOString())}::timestamptz[], ${column((row) => row.organization)}::text[],
    ${column((row) => row.key)}::text[], ${column((row) => row.model)}::text[], ${column((row) => row.device)}::text[],
    ${column((row) => row.code)}::text[], ${column((row) => row.requests)}::bigint[]
  ) as batch(hour, organization_id, key_id, model, device_id, code, requests)`
}

function columnsOf<Row>(rows: readonly Row[]) {
  return (read: (row: Row) => string | number) => sql.param(rows.map(read))
}

function eachTime(write: (bucket: number) => string): string {
  return `array[${Array.from({ length: TIME_COUNTS }, (_, index) => write(index + 1)).join(', ')}]`
}

function raw(text: string): SQL {
  return sql.raw(text)
}
