// How many bytes requests, replies and copies of models may take up in this process.

import { ByteBudget } from './byte-budget.ts'

export interface MemoryBudgets {
  /** Bodies that are arriving, and jobs until they can no longer be sent to a device. */
  requests: ByteBudget
  /** Replies that are being collected, or that their client has not read yet. */
  replies: ByteBudget
  /** Pieces of models on their way between devices. Keys are devices here. */
  relay: ByteBudget
}

export interface BudgetSizes {
  /** For requests and replies together; undefined means half of the heap. */
  totalBytes: number | undefined
  heapLimitBytes: number
  maxBodyBytes: number
}

/** A key gets a third, and a body's text may take two bytes per character. */
const BODIES_AT_LEAST = 3 * 2
/** Sixty-four pieces on their way, of which one organization gets up to half. The line is full long before. */
export const RELAY_BYTES = 32 * 1024 * 1024

export function openBudgets({ totalBytes, heapLimitBytes, maxBodyBytes }: BudgetSizes): MemoryBudgets {
  const half = Math.floor((totalBytes ?? heapLimitBytes / 2) / 2)
  return {
    // An idle gateway has to accept a body of the maximum size.
    requests: new ByteBudget(Math.max(half, BODIES_AT_LEAST * maxBodyBytes)),
    replies: new ByteBudget(half),
    relay: new ByteBudget(RELAY_BYTES),
  }
}
