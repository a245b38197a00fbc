// Tokens that keys, members and organizations used in a calendar month (UTC), and the budgets that these are compared with.

import { sql, type SQL } from 'drizzle-orm'
import type { Database } from '../database/database.ts'
import { usageJournal, usageMonth, type BudgetHolder } from '../tables/usage.ts'

export const budgetQueries = { readSpending, listBudgets }

export interface Spent {
  /** Of `journal`, `id` names the journal of a gateway, and `tokens` is the number of its last batch in these sums. */
  holder: BudgetHolder | 'journal'
  organization: string
  id: string
  tokens: number
}

export interface ListedBudget {
  holder: BudgetHolder
  id: string
  name: string
  tokens: number
  used: number
}

const MOST_BUDGETS = 500

/** Every budget: its holder, its name (a member's is in another table), and its tokens. */
const BUDGETS = sql`(
  select 'key' as holder, organization_id, id, name, created_by as person_id, tokens_per_month as most
    from api_key where tokens_per_month is not null and revoked_at is null
  union all
  select 'member', organization_id, person_id, null, person_id, tokens_per_month
    from member where tokens_per_month is not null
  union all
  select 'organization', id, id, name, null, tokens_per_month from organization where tokens_per_month is not null
) as budget`

/** The same rows as for usage_hour. Months before the last one are of no use to anyone. */
export function addMonthsFrom(source: SQL): SQL {
  return sql`
    with over as (delete from ${usageMonth} where month < date_trunc('month', now(), 'UTC') - interval '1 month')
    insert into ${usageMonth} (month, organization_id, holder, id, tokens)
    select date_trunc('month', hour, 'UTC'), batch.organization_id,
      case grouping(key_id, created_by) when 1 then 'key' when 2 then 'member' else 'organization' end,
      coalesce(key_id, created_by, batch.organization_id), sum(prompt_tokens + completion_tokens)
    from ${source} left join api_key on api_key.id = key_id
    group by 1, 2, grouping sets ((key_id), (created_by), ())
    having grouping(created_by) = 1 or created_by is not null
    order by 1, 2, 3, 4
    on conflict (month, organization_id, holder, id) do update set tokens = usage_month.tokens + excluded.tokens`
}

/** All that was spent in the month by those with a budget, and which batches of each journal are in it: both in one statement, so they agree. */
async function readSpending({ access }: Database, month: Date): Promise<Spent[]> {
  const { rows } = await access.execute<{
    holder: Spent['holder']
    organization: string
    id: string
    tokens: string
  }>(sql`
    select budget.holder, budget.organization_id as organization, budget.id, spent.tokens from ${BUDGETS}
    join ${usageMonth} as spent using (organization_id, holder, id) where spent.month = ${month.toISOString()}
    union all select 'journal', '', id, last_batch from ${usageJournal}`)
  return rows.map((row) => ({ ...row, tokens: Number(row.tokens) }))
}

/** Those nearest to their end first. With `createdBy`, the budgets of this member and of their keys alone, and the organization's. */
async function listBudgets(
  { query }: Database,
  { organization, month, createdBy }: { organization: string; month: Date; createdBy?: string },
): Promise<ListedBudget[]> {
  const isShown =
    createdBy === undefined ? sql`true` : sql`(budget.person_id = ${createdBy} or budget.holder = 'organization')`
  const { rows } = await query.execute<Record<'holder' | 'id' | 'name' | 'tokens' | 'used', string>>(sql`
    select budget.holder, budget.id, coalesce(budget.name, person.name) as name, budget.most as tokens,
      coalesce(spent.tokens, 0) as used from ${BUDGETS} left join person on person.id = budget.id
    left join ${usageMonth} as spent on spent.month = ${month.toISOString()} and spent.organization_id = budget.organization_id
      and spent.holder = budget.holder and spent.id = budget.id
    where budget.organization_id = ${organization} and ${isShown}
    order by coalesce(spent.tokens, 0)::float8 / budget.most desc, budget.holder desc, budget.id limit ${MOST_BUDGETS}`)
  return rows.map(({ holder, id, name, tokens, used }) => ({
    holder: holder as BudgetHolder,
    id,
    name,
    tokens: Number(tokens),
    used: Number(used),
  }))
}
