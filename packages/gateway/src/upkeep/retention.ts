// Keeps the database from growing for ever: usage that is old is kept by the day, and old entries of the audit log are deleted. A little at a
// time, so that no request waits. Of several gateways, one at a time does it.

import type { FoldedDay } from '../store/usage/fold-usage.ts'
import type { Store } from '../store/store.ts'

const FIRST_MS = 60_000
const HOUR_MS = 3_600_000
/** Between two batches, so that nothing else waits long for the store. */
const BREATH_MS = 50
const BATCH = 500

export interface RetentionOptions {
  store: Pick<Store, 'foldUsage' | 'pruneAudit' | 'pruneActivity' | 'tableSizes'>
  /** How long usage is kept by the hour, and the audit log and people's recent activity at all. */
  months: { usage: number; audit: number }
  onSizes: (sizes: Awaited<ReturnType<Store['tableSizes']>>) => void
  onTidied: (done: { days: number; entries: number }) => void
  onError: (error: unknown) => void
  now?: () => number
  /** Resolves with false when it should end. */
  pause: (ms: number) => Promise<boolean>
}

export async function keepRetention(options: RetentionOptions): Promise<void> {
  for (let waitMs = FIRST_MS; await options.pause(waitMs); waitMs = HOUR_MS)
    await tidyUp(options).catch(options.onError)
}

async function tidyUp(options: RetentionOptions): Promise<void> {
  const { store, months, onSizes, onTidied, now = Date.now } = options
  const days = await foldDays(options, monthsBefore(now(), months.usage))
  const before = monthsBefore(now(), months.audit)
  const entries =
    (await prune(options, (limit) => store.pruneAudit({ before, limit }))) +
    (await prune(options, (limit) => store.pruneActivity({ before, limit })))
  if (days + entries > 0) onTidied({ days, entries })
  onSizes(await store.tableSizes())
}

async function foldDays({ store, pause }: RetentionOptions, before: Date): Promise<number> {
  let days = 0
  let after: FoldedDay | undefined
  while ((after = await store.foldUsage({ before, ...(after && { after }) })) !== undefined) {
    days += 1
    if (!(await pause(BREATH_MS))) break
  }
  return days
}

async function prune({ pause }: RetentionOptions, deleteSome: (limit: number) => Promise<number>): Promise<number> {
  let entries = 0
  for (let deleted = BATCH; deleted === BATCH;) {
    deleted = await deleteSome(BATCH)
    entries += deleted
    if (!(await pause(BREATH_MS))) break
  }
  return entries
}

function monthsBefore(time: number, months: number): Date {
  const date = new Date(time)
  date.setUTCMonth(date.getUTCMonth() - months)
  return date
}
