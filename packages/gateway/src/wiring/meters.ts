// Everything that counts jobs and watches devices.

import type { AccessBook } from '../access/book/access-book.ts'
import { RateLimiter } from '../access/limits/rate-limit.ts'
import { Spending } from '../access/limits/spending.ts'
import type { Config } from '../config.ts'
import type { NotedEvent } from '../console-api/console.ts'
import { Speeds } from '../console-api/state/speeds.ts'
import { totalTokens, type DeviceIdentity, type JobRecord, type Presence } from '../fleet/fleet.ts'
import { LoadLimit } from '../load/load-limit.ts'
import { DeviceSightings } from '../observe/device-sightings.ts'
import { GatewayMetrics } from '../observe/gateway-metrics.ts'
import { MachineHealth } from '../observe/machine-health.ts'
import { formatJobFields } from '../observe/job-fields.ts'
import type { Log } from '../observe/log.ts'
import { openUsageLedger } from '../observe/open-usage-ledger.ts'
import { usageJournalFolder } from '../observe/usage-journal-files.ts'
import type { UsageLedger } from '../observe/usage-ledger.ts'
import { openTraces } from '../observe/tracing/open-traces.ts'
import type { JobTraces } from '../observe/tracing/job-traces.ts'
import type { Base } from './base.ts'

export interface Meters {
  ledger: UsageLedger
  sightings: DeviceSightings
  metrics: GatewayMetrics
  health: MachineHealth
  speeds: Speeds
  limiter: RateLimiter
  spending: Spending
  load: LoadLimit
  /** Undefined if nobody wants spans. */
  traces: JobTraces | undefined
}

export async function openMeters(config: Config, { store, log, budgets, onStoreError }: Base): Promise<Meters> {
  const metrics = new GatewayMetrics(budgets)
  const ledger = await openUsageLedger({ config, store, log, onStoreError, metrics })
  const sightings = new DeviceSightings({ store, onError: onStoreError })
  const load = openLoadLimit(log, metrics)
  const journalFolder = usageJournalFolder(config)
  const health = new MachineHealth({ journalFolder, storeTime: () => store.time(), log })
  const traces = await openTraces(config, log)
  return {
    ledger,
    sightings,
    metrics,
    health,
    speeds: new Speeds(),
    limiter: new RateLimiter(),
    spending: new Spending({ store, onError: onStoreError }),
    load,
    traces,
  }
}

function openLoadLimit(log: Log, metrics: GatewayMetrics): LoadLimit {
  return new LoadLimit({
    onRejected: () => metrics.requestShed(),
    onShedding: ({ requests }) => {
      metrics.sheddingChanged(true)
      log.warn({ requests }, 'overloaded: some new chat requests get a 503')
    },
    onRecovered: ({ rejected }) => {
      metrics.sheddingChanged(false)
      log.info({ rejected }, 'no longer overloaded: all chat requests are accepted again')
    },
  })
}

/** To be called before the job's client gets the end of the reply. */
export function countJob(record: JobRecord, { ledger, limiter, spending }: Meters, book: AccessBook): void {
  const batch = ledger.add(record)
  const { key, cost } = record.ticket
  const tokens = totalTokens(record.tokens)
  limiter.endJob(key, cost, tokens, performance.now())
  const budgets = book.budgetsOf(key)
  if (budgets) spending.add(batch, budgets, tokens)
}

export function noteJob(record: JobRecord, { log }: Base, { metrics, speeds, traces }: Meters): void {
  metrics.recorded(record)
  traces?.ended(record)
  speeds.note(record)
  log.writeFields(formatJobFields(record), 'job')
}

export function noteAccountEvent({ event, person, address }: NotedEvent, { log }: Base, { metrics }: Meters): void {
  metrics.accountEvent(event)
  log.info({ event, address, ...(person !== undefined && { person }) }, 'account')
}

export function notePresence(
  { id, organization }: DeviceIdentity,
  { isLinked, app, machine, address }: Presence,
  { log }: Base,
  { sightings }: Meters,
): void {
  log.info({ device: id, organization, ...(isLinked && { app }) }, isLinked ? 'device linked' : 'device gone')
  sightings.note({ device: id, at: new Date(), address, ...(isLinked && { app }), ...(machine && { machine }) })
}
