// What the gateway knows of its database: how large it is.

import type { Reading } from './readings.ts'

export interface UpkeepFacts {
  tables: readonly { table: string; bytes: number }[]
}

export const UPKEEP_READINGS: readonly Reading<UpkeepFacts>[] = [
  [
    'hearth_table_bytes',
    'Size of each table of the database with its indexes, measured once an hour',
    ({ tables }) => tables.map(({ table, bytes }) => [{ table }, bytes]),
  ],
]
