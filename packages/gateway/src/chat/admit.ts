// Enforces the gateway's own limit, before anything is done for a request, and the limits of the caller's key, if it has any: once before
// the body is read, and again before the job goes to the fleet. A budget that is not used up by then may be when the job's turn comes: whoever
// leases slots looks again.

import { ApiError, budgetUsed, retryAfter, type Outlet } from '@hearth/chat'
import type { Caller } from '../access/book/access-book.ts'
import type { Spending } from '../access/limits/spending.ts'
import { formatDuration, type RateLimiter, type Rejection } from '../access/limits/rate-limit.ts'
import type { Ticket } from '../fleet/fleet.ts'
import type { LoadLimit } from '../load/load-limit.ts'
import type { RateLimits } from '../store/revisions/access-rows.ts'

const UNITS: Record<keyof RateLimits, string> = {
  requestsPerMinute: 'requests per minute',
  tokensPerMinute: 'tokens per minute',
  jobsAtOnce: 'requests at once',
}

/** From this share of a budget on, replies say how much of it is used. */
const WARN_SHARE = 0.8

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
  if (over) throw budgetUsed({ ...over, renewsAt: spending.renewal().getTime() })
  const near = shares.filter(({ share }) => share >= WARN_SHARE)
  const percents = near.map(({ holder, share }) => `${holder}=${Math.floor(share * 100)}`)
  if (near.length > 0) outlet.header('x-service-budget', percents.join(', '))
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
