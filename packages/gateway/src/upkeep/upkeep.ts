// What a gateway does for its database on the side, for as long as it runs.

import { resolve } from 'node:path'
import { folderFor, type Config } from '../config.ts'
import { describeFault } from '../observe/describe-fault.ts'
import type { GatewayMetrics } from '../observe/gateway-metrics.ts'
import type { Log } from '../observe/log.ts'
import type { Store } from '../store/store.ts'
import { pauseUntil, sweepDeletions, sweepPlaygroundKeys } from '../access/sweeps.ts'
import { backUpInProcess } from './backup-process.ts'
import { keepBackups } from './backup-schedule.ts'
import { keepRetention } from './retention.ts'

export interface UpkeepParts {
  store: Store
  log: Log
  metrics: GatewayMetrics
  closing: AbortController
  onStoreError: (error: unknown) => void
}

export function startUpkeep(config: Config, parts: UpkeepParts): void {
  const { store, log, metrics, closing, onStoreError } = parts
  const sweep = { store, onError: onStoreError, pause: pauseUntil(closing.signal) }
  void sweepPlaygroundKeys(sweep)
  void sweepDeletions(sweep)
  void keepRetention({
    ...sweep,
    months: { usage: config.USAGE_HOURLY_MONTHS, audit: config.AUDIT_MONTHS },
    onSizes: (sizes) => (metrics.upkeep.tables = sizes),
    onTidied: (done) => log.info(done, 'old usage is kept by the day now, and old entries of the audit log are gone'),
  })
  if (config.BACKUP_AT !== '') startBackups(config, config.BACKUP_AT, parts)
}

function startBackups(config: Config, at: number, { log, metrics, closing }: UpkeepParts): void {
  const folder = resolve(folderFor(config.BACKUP_FOLDER, config, 'backups'))
  const backups = (metrics.upkeep.backups = { lastAt: Date.now(), fromFuture: 0, failures: 0 })
  const fail = (cause: unknown) => {
    backups.failures += 1
    // Its message names a file and a reason, and no content.
    const error = cause instanceof Error ? cause.message : describeFault(cause)
    log.error({ folder, error }, 'cannot back up the database; trying again in ten minutes')
  }
  const note = ({ lastAt, fromFuture }: { lastAt: number; fromFuture: number }) => {
    if (fromFuture > backups.fromFuture)
      log.warn(
        { folder, files: fromFuture },
        'some backups have dates in the future and do not count. Was a clock wrong?',
      )
    Object.assign(backups, { lastAt, fromFuture })
  }
  void keepBackups({
    folder,
    at,
    keep: config.BACKUP_KEEP,
    backUp: async (path) => {
      await backUpInProcess(config.DATABASE_URL, path, closing.signal)
      log.info({ path }, 'backed up the database')
    },
    onBackup: (state) => {
      if ('lastAt' in state) note(state)
      else if (!closing.signal.aborted) fail(state.error)
    },
    pause: pauseUntil(closing.signal),
  })
}
