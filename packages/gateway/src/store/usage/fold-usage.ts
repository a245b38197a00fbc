// Old usage is kept by the day: everything that one organization used in the hours of a day becomes the first hour's. No sum of whole days
// changes by that, and nobody waits for it: usage that is added now is of other hours.

import { sql, type SQL } from 'drizzle-orm'
import type { Handle } from '../database/database.ts'
import { takeUpkeep } from '../database/upkeep-lock.ts'
import { usageCode, usageHour } from '../tables/usage.ts'
import { addCodesFrom, addUsageFrom } from './usage-addition.ts'

export interface FoldedDay {
  organization: string
  /** Its first hour, UTC. */
  day: Date
}

interface FoldQuestion {
  /** Days that have ended by then. */
  before: Date
  /** The day that was folded last: those after it are looked for. */
  after?: FoldedDay
}

/** Folds one day of one organization. Undefined if none is left, or another gateway is at it. */
export async function foldUsage(transaction: Handle, question: FoldQuestion): Promise<FoldedDay | undefined> {
  if (!(await takeUpkeep(transaction))) return undefined
  const { rows } = await transaction.execute<{ id: string; day: string }>(nextDay(question))
  const [next] = rows
  if (!next) return undefined
  const day = new Date(next.day)
  for (const [table, add, columns] of [
    [usageHour, addUsageFrom, 'requests, errors, prompt_tokens, completion_tokens, wait_ms, busy_ms, times'],
    [usageCode, addCodesFrom, 'code, requests'],
  ] as const)
    await transaction.execute(sql`
      with folded as (
        delete from ${table} where organization_id = ${next.id} and hour > ${day.toISOString()}
          and hour < ${day.toISOString()}::timestamptz + interval '1 day'
        returning *
      ) ${add(sql`(select ${startOfDay('hour')} as hour, organization_id, key_id, model, device_id, ${sql.raw(columns)} from folded) as of_day`)}`)
  return { organization: next.id, day }
}

/** Each organization by itself, because usage is in the order of organizations. */
function nextDay({ before, after }: FoldQuestion): SQL {
  const [organization, from] = [after?.organization ?? '', new Date((after?.day.getTime() ?? 0) + 1).toISOString()]
  return sql`
    select organization.id, ${startOfDay('first.hour')}::text as day
    from organization cross join lateral (
      select hour from ${usageHour}
      where organization_id = organization.id and hour < ${startOfDay(sql`${before.toISOString()}::timestamptz`)}
        and hour > case when organization.id = ${organization} then ${from}::timestamptz else '-infinity' end
        and hour <> ${startOfDay('hour')}
      order by hour limit 1
    ) as first
    where organization.id >= ${organization}
    order by organization.id limit 1`
}

function startOfDay(time: string | SQL): SQL {
  return sql`date_trunc('day', ${typeof time === 'string' ? sql.raw(time) : time}, 'UTC')`
}
