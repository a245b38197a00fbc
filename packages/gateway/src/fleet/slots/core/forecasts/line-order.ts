// The order in which waiting jobs will get a slot, as far as it is known now: that of the fair queue. A job starts when its key was charged
// for everything before it, and no other key was charged less.

import type { FairQueue, Waiter } from '../fair-queue.ts'

export interface InLine<Job> {
  job: Job
  /** Tokens that its key was charged when it starts. */
  charged: number
}

export function orderLine<Job extends Waiter>(queue: FairQueue<Job>): InLine<Job>[] {
  const line: InLine<Job>[] = []
  for (const { rank, charged, waiting } of queue.shares()) {
    let before = rank + charged
    for (const job of waiting) {
      line.push({ job, charged: before })
      before += job.ticket.cost
    }
  }
  return line.sort((one, other) => one.charged - other.charged || one.job.order - other.job.order)
}
