// Metrics that are read off something when the page is requested, as a table.

import type { Metrics, Samples } from './metrics.ts'

export type Reading<Source> = readonly [name: string, help: string, read: (source: Source) => number | Samples]

/** Metrics of something that isn't there have no lines. */
export function addReadings<Source>(
  metrics: Metrics,
  readings: readonly Reading<Source>[],
  find: () => Source | undefined,
): void {
  for (const [name, help, read] of readings)
    metrics.reading(name, help, () => {
      const source = find()
      return source === undefined ? [] : read(source)
    })
}
