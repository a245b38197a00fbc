import { and, asc, eq, gte, lt, sql, type SQL } from 'drizzle-orm'
import type { Database } from './database.ts'
import type { UsageBatchId, UsageQuestion, UsageRow, UsageStore } from './store.ts'
import { apiKey, device, person, usageHour, usageJournal } from './tables.ts'

const columns = {
  hour: usageHour.hour,
  organization: usageHour.organizationId,
  key: usageHour.keyId,
  model: usageHour.model,
  device: usageHour.deviceId,
  requests: usageHour.requests,
  errors: usageHour.errors,
  promptTokens: usageHour.promptTokens,
  completionTokens: usageHour.completionTokens,
  waitMs: usageHour.waitMs,
}

const counters = {
  requests: summed(usageHour.requests),
  errors: summed(usageHour.errors),
  promptTokens: summed(usageHour.promptTokens),
  completionTokens: summed(usageHour.completionTokens),
  waitMs: summed(usageHour.waitMs),
}

export function usageQueries({ query }: Database): UsageStore {
  return {
    async addUsage(rows, batch) {
      if (rows.length > 0) await query.execute(batch ? addOnce(rows, batch) : addition(rows, sql``))
    },

    async forgetUsageJournal(journal) {
      await query.delete(usageJournal).where(eq(usageJournal.id, journal))
    },

    listUsage({ organization, from, to }) {
      return query
        .select(columns)
        .from(usageHour)
        .where(and(eq(usageHour.organizationId, organization), gte(usageHour.hour, from), lt(usageHour.hour, to)))
        .orderBy(asc(usageHour.hour), asc(usageHour.keyId), asc(usageHour.model), asc(usageHour.deviceId))
    },

    sumUsage(question) {
      const at = sql<Date>`date_trunc(${sql.raw(`'${question.step}'`)}, ${usageHour.hour}, 'UTC')`.mapWith(
        usageHour.hour,
      )
      const { id, name } = BY[question.by]
      return query
        .select({ at, id, name, ...counters })
        .from(usageHour)
        .leftJoin(apiKey, eq(apiKey.id, usageHour.keyId))
        .leftJoin(person, eq(person.id, apiKey.createdBy))
        .leftJoin(device, eq(device.id, usageHour.deviceId))
        .where(isAskedFor(question))
        .groupBy(at, id, name)
        .orderBy(at, id)
    },
  }
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

function isAskedFor({ organization, from, to, key, model, device, createdBy }: UsageQuestion) {
  return and(
    eq(usageHour.organizationId, organization),
    gte(usageHour.hour, from),
    lt(usageHour.hour, to),
    key === undefined ? undefined : eq(usageHour.keyId, key),
    model === undefined ? undefined : eq(usageHour.model, model),
    device === undefined ? undefined : eq(usageHour.deviceId, device),
    createdBy === undefined ? undefined : eq(apiKey.createdBy, createdBy),
  )
}

function summed(column: typeof usageHour.requests) {
  return sql<number>`sum(${column})`.mapWith(Number)
}

// One statement, so that the batch is marked as added if and only if its rows were. A second call waits for the first and then finds the mark.
function addOnce(rows: readonly UsageRow[], { journal, number }: UsageBatchId) {
  return sql`
    with fresh as (
      insert into ${usageJournal} (id, last_batch) values (${journal}, ${number})
      on conflict (id) do update set last_batch = excluded.last_batch where usage_journal.last_batch < excluded.last_batch
      returning 1
    ) ${addition(rows, sql`where exists (select 1 from fresh)`)}`
}

// One array per column, so that a batch of any size has ten parameters. Rows of the batch with the same key are added up first, because a
// statement may update a row only once, and they are sorted by key, so that two gateways never deadlock.
function addition(rows: readonly UsageRow[], condition: SQL) {
  const column = (read: (row: UsageRow) => string | number) => sql.param(rows.map(read))
  return sql`
    insert into ${usageHour} (hour, organization_id, key_id, model, device_id, requests, errors, prompt_tokens, completion_tokens, wait_ms)
    select hour, organization_id, key_id, model, device_id,
      sum(requests), sum(errors), sum(prompt_tokens), sum(completion_tokens), sum(wait_ms)
    from unnest(
      ${column((row) => row.hour.toISOString())}::timestamptz[], ${column((row) => row.organization)}::text[],
      ${column((row) => row.key)}::text[], ${column((row) => row.model)}::text[], ${column((row) => row.device)}::text[],
      ${column((row) => row.requests)}::bigint[], ${column((row) => row.errors)}::bigint[],
      ${column((row) => row.promptTokens)}::bigint[], ${column((row) => row.completionTokens)}::bigint[],
      ${column((row) => Math.round(row.waitMs))}::bigint[]
    ) as batch(hour, organization_id, key_id, model, device_id, requests, errors, prompt_tokens, completion_tokens, wait_ms)
    ${condition}
    group by 1, 2, 3, 4, 5
    order by 2, 1, 3, 4, 5
    on conflict (organization_id, hour, key_id, model, device_id) do update set
      requests = usage_hour.requests + excluded.requests,
      errors = usage_hour.errors + excluded.errors,
      prompt_tokens = usage_hour.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = usage_hour.completion_tokens + excluded.completion_tokens,
      wait_ms = usage_hour.wait_ms + excluded.wait_ms`
}
