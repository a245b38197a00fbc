// Metrics that are read off something when the page is requested, as a table.

import type { Metrics, Samples } from './metrics.ts'

/** A gauge goes up and down; a counter only grows, and its name ends in `_total`. */
export interface Reading<Source> {
  kind: 'gauge' | 'counter'
  name: string
  help: string
  read: (source: Source) => number | Samples
}

/** Metrics of something that isn't there have no lines. */
export function addReadings<Source>(
  metrics: Metrics,
  readings: readonly Reading<Source>[],
  find: () => Source | undefined,
): void {
  for (const { kind, name, help, read } of readings)
    metrics.reading(kind, name, help, () => {
      const source = find()
      return source === undefined ? [] : read(source)
    })
}
