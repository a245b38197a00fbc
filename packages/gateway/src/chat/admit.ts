// Enforces the gateway's own limit, before anything is done for a request, and the limits of the caller's key, if it has any: once before
// the body is read, and again before the job goes to the fleet. Budgets are compared with what has been used: jobs that run may exceed them.

import { ApiError, retryAfter, type Outlet } from '@hearth/chat'
import type { Caller } from '../access/book/access-book.ts'
import type { Spending } from '../access/limits/spending.ts'
import { formatDuration, type RateLimiter, type Rejection } from '../access/limits/rate-limit.ts'
import type { Ticket } from '../fleet/fleet.ts'
import type { LoadLimit } from '../load/load-limit.ts'
import type { Budget, RateLimits } from '../store/revisions/access-rows.ts'
import type { BudgetHolder } from '../store/tables/usage.ts'

const UNITS: Record<keyof RateLimits, string> = {
  requestsPerMinute: 'requests per minute',
  tokensPerMinute: 'tokens per minute',
  jobsAtOnce: 'requests at once',
}

/** From this share of a budget on, replies say how much of it is used. */
const WARN_SHARE = 0.8

const BUDGETS: Record<BudgetHolder, [whose: string, remedy: string]> = {
  key: ['this API key', 'raise it on the Keys page of the console, or use another key'],
  member: ['the member who created this API key', 'ask an admin to raise it on the Members page of the console'],
  organization: ['this organization', 'ask an owner to raise it under Settings > Limits in the console'],
}

/** Throws a 503 while the gateway is overloaded. Otherwise, call `load.leave` when the request is over. */
export function admitLoad({ organization }: Caller, load: LoadLimit): void {
  if (load.enter(organization)) return
  const { retryMs } = load
  const message = `The gateway is overloaded and cannot take this request now. Please try again in ${formatDuration(retryMs)}.`
  throw new ApiError('service_unavailable', message, null, retryAfter(retryMs))
}

export function admitRequest({ key, limits }: Caller, limiter: RateLimiter): void {
  if (!limits) return
  const now = performance.now()
  const rejection = limiter.request(key, limits, now)
  if (rejection) throw limitReached(rejection, limits, limiter.headers(key, limits, now))
}

/** Throws a 429 that clients don't repeat if a budget is used up. */
export function admitBudgets({ budgets = [] }: Caller, outlet: Outlet, spending: Spending): void {
  const shares = budgets.map((budget) => ({ ...budget, share: spending.used(budget) / budget.tokensPerMonth }))
  const over = shares.find(({ share }) => share >= 1)
  if (over) throw budgetUsed(over, spending.renewal())
  const near = shares.filter(({ share }) => share >= WARN_SHARE)
  const percents = near.map(({ holder, share }) => `${holder}=${Math.floor(share * 100)}`)
  if (near.length > 0) outlet.header('x-service-budget', percents.join(', '))
}

function budgetUsed({ holder, tokensPerMonth }: Budget, renewal: Date): ApiError {
  const [whose, remedy] = BUDGETS[holder]
  const month = `${renewal.toISOString().slice(0, 10)} at 00:00 UTC`
  return new ApiError(
    'insufficient_quota',
    `The monthly budget of ${whose} is used up: ${tokensPerMonth.toLocaleString('en')} tokens. It starts again on ${month}. To go on before, ${remedy}.`,
    null,
    { 'x-should-retry': 'false' },
  )
}

export function admitJob({ key, limits }: Caller, { cost }: Ticket, outlet: Outlet, limiter: RateLimiter): void {
  if (!limits) return
  const now = performance.now()
  const rejection = limiter.startJob(key, limits, cost, now)
  const headers = limiter.headers(key, limits, now)
  if (rejection) throw limitReached(rejection, limits, headers)
  for (const [name, value] of headers) outlet.header(name, value)
}

function limitReached({ limit, retryMs }: Rejection, limits: RateLimits, headers: [string, string][]): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `Rate limit reached for this key: ${limits[limit]} ${UNITS[limit]}. Please try again in ${formatDuration(retryMs)}.`,
    null,
    { ...Object.fromEntries(headers), ...retryAfter(retryMs) },
  )
}
