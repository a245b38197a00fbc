// How many bytes requests and replies may take up in this process.

import { ByteBudget } from './byte-budget.ts'

export interface MemoryBudgets {
  /** Bodies that are arriving, and jobs until they can no longer be sent to a device. */
  requests: ByteBudget
  /** Replies that are being collected, or that their client has not read yet. */
  replies: ByteBudget
}

export interface BudgetSizes {
  /** For both together; undefined means half of the heap. */
  totalBytes: number | undefined
  heapLimitBytes: number
  maxBodyBytes: number
}

/** A key gets a third, and a body's text may take two bytes per character. */
const BODIES_AT_LEAST = 3 * 2

export function openBudgets({ totalBytes, heapLimitBytes, maxBodyBytes }: BudgetSizes): MemoryBudgets {
  const half = Math.floor((totalBytes ?? heapLimitBytes / 2) / 2)
  return {
    // An idle gateway has to accept a body of the maximum size.
    requests: new ByteBudget(Math.max(half, BODIES_AT_LEAST * maxBodyBytes)),
    replies: new ByteBudget(half),
  }
}
