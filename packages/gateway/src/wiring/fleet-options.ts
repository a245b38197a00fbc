// The limits of jobs, and who hears about jobs and devices.

import { gather } from '@hearth/chat'
import type { AccessBook } from '../access/book/access-book.ts'
import { Arrivals } from '../access/book/arrivals.ts'
import type { Config } from '../config.ts'
import type { JobRecord } from '../fleet/fleet.ts'
import { formatStartFields } from '../observe/job-fields.ts'
import type { Base } from './base.ts'
import { countJob, noteJob, notePresence, type Meters } from './meters.ts'
import type { OpenFleet } from './open-fleet.ts'

export function fleetOptions(config: Config, base: Base, meters: Meters, book: AccessBook): OpenFleet['options'] {
  const arrivals = new Arrivals({ store: base.store, book, onError: base.onStoreError })
  // Nothing depends on notes, so they wait for the end of the turn: by then, the clients have their replies.
  const noteSoon = gather<JobRecord>(
    (takeAll) => setImmediate(takeAll),
    (record) => noteJob(record, base, meters),
  )
  return {
    pingIntervals: { busyMs: config.PING_BUSY_MS, idleMs: config.PING_IDLE_MS },
    budgets: base.budgets,
    limits: jobLimits(config),
    tokenBudgets: tokenBudgets(meters, book),
    compareMs: config.ACCESS_POLL_MS,
    defaults: book,
    relayBudget: base.budgets.relay,
    watch: meters.traces,
    onRecord(record) {
      countJob(record, meters, book)
      noteSoon(record)
    },
    whenRecorded: (act) => meters.ledger.whenSafe(act),
    onForeignStart: (front, start) => base.log.writeFields(formatStartFields(front, start), 'job of another gateway'),
    onPresence: (device, presence) => notePresence(device, presence, base, meters),
    onModels: (device, models) => arrivals.announced(device, models),
    onFull: ({ id, organization }, full) =>
      base.log.warn({ device: id, organization, full }, 'no memory left for what a device reports'),
    onConflict: ({ id, organization }, { address }) =>
      base.log.warn({ device: id, organization, address }, 'two machines use the credential of one device'),
  }
}

function tokenBudgets({ spending }: Meters, book: AccessBook): OpenFleet['options']['tokenBudgets'] {
  return {
    of: (key) => book.budgetsOf(key),
    used: (budget) => spending.used(budget),
    renewsAt: () => spending.renewal().getTime(),
  }
}

function jobLimits(config: Config): OpenFleet['options']['limits'] {
  return {
    waitMs: config.DEVICE_WAIT_MS,
    firstEventMs: config.FIRST_EVENT_MS,
    gapMs: config.EVENT_GAP_MS,
    returnMs: config.DEVICE_RETURN_MS,
    totalMs: config.JOB_TOTAL_MS,
    queuePerKey: config.QUEUE_PER_KEY,
    queuePerOrganization: config.QUEUE_PER_ORGANIZATION,
  }
}
