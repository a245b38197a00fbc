// What the gateway knows of its database: how large it is, and when it was backed up.

import type { Readings } from './metrics.ts'

export interface UpkeepFacts {
  tables: readonly { table: string; bytes: number }[]
  /** Only with BACKUP_AT. Until the first one, `lastAt` is when the gateway started. */
  backups?: { lastAt: number; fromFuture: number; failures: number }
}

export const UPKEEP_READINGS: Readings<UpkeepFacts> = {
  hearth_table_bytes: [
    'Size of each table of the database with its indexes, measured once an hour',
    ({ tables }) => tables.map(({ table, bytes }) => [{ table }, bytes]),
  ],
  hearth_backup_age_seconds: [
    'Time since the moment of the last scheduled backup that is complete, or since the start if there is none; with BACKUP_AT only',
    ({ backups }) => (backups ? (Date.now() - backups.lastAt) / 1000 : []),
  ],
  hearth_backups_from_future: [
    'Scheduled backups whose names have a date in the future, which do not count; with BACKUP_AT only',
    ({ backups }) => backups?.fromFuture ?? [],
  ],
  hearth_backup_failures_total: [
    'Scheduled backups that failed; with BACKUP_AT only',
    ({ backups }) => backups?.failures ?? [],
  ],
}
