// The error for a request or reply that the memory budget has no room for.

import type { Full } from './budget/byte-budget.ts'
import { ApiError } from './errors.ts'

const RETRY_SOON = { 'retry-after': '5' }

export function noRoom(full: Full): ApiError {
  if (full === 'process')
    return new ApiError(
      'service_unavailable',
      'The gateway has no memory left for this request. Please try again in 5s.',
      null,
      RETRY_SOON,
    )
  return new ApiError(
    'rate_limit_exceeded',
    `The requests of this ${full} that are in progress use too much memory. Please try again in 5s.`,
    null,
    RETRY_SOON,
  )
}
