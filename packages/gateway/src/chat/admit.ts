// Enforces the gateway's own limit, before anything is done for a request, and the limits of the caller's key, if it has any: once before
// the body is read, and again before the job goes to the fleet.

import { ApiError, retryAfter, type Outlet } from '@hearth/chat'
import type { Caller } from '../access/book/access-book.ts'
import { formatDuration, type RateLimiter, type Rejection } from '../access/limits/rate-limit.ts'
import type { Ticket } from '../fleet/fleet.ts'
import type { LoadLimit } from '../load/load-limit.ts'
import type { KeyLimits } from '../store/keys/key-rows.ts'

const UNITS: Record<keyof KeyLimits, string> = {
  requestsPerMinute: 'requests per minute',
  tokensPerMinute: 'tokens per minute',
  jobsAtOnce: 'requests at once',
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

export function admitJob({ key, limits }: Caller, { cost }: Ticket, outlet: Outlet, limiter: RateLimiter): void {
  if (!limits) return
  const now = performance.now()
  const rejection = limiter.startJob(key, limits, cost, now)
  const headers = limiter.headers(key, limits, now)
  if (rejection) throw limitReached(rejection, limits, headers)
  for (const [name, value] of headers) outlet.header(name, value)
}

function limitReached({ limit, retryMs }: Rejection, limits: KeyLimits, headers: [string, string][]): ApiError {
  return new ApiError(
    'rate_limit_exceeded',
    `Rate limit reached for this key: ${limits[limit]} ${UNITS[limit]}. Please try again in ${formatDuration(retryMs)}.`,
    null,
    { ...Object.fromEntries(headers), ...retryAfter(retryMs) },
  )
}
