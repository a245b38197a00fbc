import { and, asc, desc, eq, gte, lt, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Database, Handle } from './database.ts'
import { addRequests, listRequests } from './requests.ts'
import type { UsageBatchId, UsageQuestion, UsageStore } from './store.ts'
import { apiKey, device, person, usageCode, usageHour, usageJournal } from './tables.ts'
import { addCodesFrom, addUsageFrom, codeRows, sumTimes, usageRows } from './usage-addition.ts'

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
  busyMs: usageHour.busyMs,
}

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

export function usageQueries({ query, transact }: Database, keptRequests: number): UsageStore {
  return {
    async addUsage(rows, batch, details = { codes: [], requests: [] }) {
      if (rows.length === 0) return
      await transact(async (transaction) => {
        if (batch && !(await markBatch(transaction, batch))) return
        await transaction.execute(addUsageFrom(usageRows(rows)))
        if (details.codes.length > 0) await transaction.execute(addCodesFrom(codeRows(details.codes)))
        await addRequests(transaction, details.requests, keptRequests)
      })
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
      const { id, name } = BY[question.by]
      return query
        .select({ id, name, ...sums })
        .from(usageHour)
        .leftJoin(apiKey, eq(apiKey.id, usageHour.keyId))
        .leftJoin(person, eq(person.id, apiKey.createdBy))
        .leftJoin(device, eq(device.id, usageHour.deviceId))
        .where(isAskedFor(usageHour, question))
        .groupBy(id, name)
        .orderBy(desc(sums.requests), id)
    },

    usagePoints({ step, ids, ...question }) {
      const at = sql<Date>`date_trunc(${sql.raw(`'${step}'`)}, ${usageHour.hour}, 'UTC')`.mapWith(usageHour.hour)
      const own = BY[question.by].id
      const id = sql<string>`case when ${own} = any(${sql.param([...ids])}::text[]) then ${own} else ${OTHER_IDS} end`
      // By their places: the parameters in the group would not be recognized as those of the column.
      return query
        .select({ at, id, ...sums })
        .from(usageHour)
        .leftJoin(apiKey, eq(apiKey.id, usageHour.keyId))
        .leftJoin(person, eq(person.id, apiKey.createdBy))
        .leftJoin(device, eq(device.id, usageHour.deviceId))
        .where(isAskedFor(usageHour, question))
        .groupBy(sql`1`, sql`2`)
        .orderBy(sql`1`, sql`2`)
    },

    usageCodes(question) {
      const requests = summed(usageCode.requests)
      return query
        .select({ code: usageCode.code, requests })
        .from(usageCode)
        .leftJoin(apiKey, eq(apiKey.id, usageCode.keyId))
        .where(isAskedFor(usageCode, question))
        .groupBy(usageCode.code)
        .orderBy(desc(requests), asc(usageCode.code))
    },

    listRequests(question) {
      return listRequests(query, question, keptRequests)
    },
  }
}

/** False if the batch was added before. A second call waits for the transaction of the first. */
async function markBatch(transaction: Handle, { journal, number }: UsageBatchId): Promise<boolean> {
  const { rows } = await transaction.execute(sql`
    insert into ${usageJournal} (id, last_batch) values (${journal}, ${number})
    on conflict (id) do update set last_batch = excluded.last_batch where usage_journal.last_batch < excluded.last_batch
    returning 1`)
  return rows.length > 0
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
