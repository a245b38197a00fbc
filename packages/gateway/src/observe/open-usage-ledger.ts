import type { Config } from '../config.ts'
import type { Store } from '../store/store.ts'
import { describeFault } from './describe-fault.ts'
import type { GatewayMetrics } from './gateway-metrics.ts'
import type { Log } from './log.ts'
import { usageJournalFolder } from './usage-journal-files.ts'
import { UsageJournal } from './usage-journal.ts'
import { UsageLedger } from './usage-ledger.ts'
import { readLeftJournals } from './usage-left.ts'

const WARNING =
  'cannot use the usage journal: if the gateway crashes, usage that is not in the database yet is lost. Check the disk that holds it'

const LOST =
  'the usage journal of an earlier gateway was damaged, as after a crash of its machine: the usage of as many requests as it has damaged lines is lost, or of a few more'

export interface OpenUsageLedger {
  config: Config
  store: Store
  log: Log
  metrics: GatewayMetrics
  onStoreError: (error: unknown) => void
}

/** Writes the usage that earlier gateways left in the folder before it resolves. Throws if the journal cannot be written. */
export async function openUsageLedger(options: OpenUsageLedger): Promise<UsageLedger> {
  const { config, store, log, metrics, onStoreError } = options
  const folder = usageJournalFolder(config)
  const onTrouble = (error: unknown) => log.warn({ folder, error: describeFault(error) }, WARNING)
  const journal = await UsageJournal.open(folder, { onTrouble, onUnprotected: () => metrics.usageUnprotected() })
  const left = await readLeftJournals(folder, onTrouble)
  for (const { files, requests, damagedLines } of left) {
    const { journal: name } = files
    if (requests > 0) log.info({ journal: name, requests }, 'found usage of an earlier gateway')
    if (damagedLines > 0) log.warn({ folder, journal: name, damagedLines }, LOST)
  }
  const ledger = new UsageLedger({ store, journal, left, flushMs: config.USAGE_FLUSH_MS, onError: onStoreError })
  await ledger.flush()
  return ledger
}
