// Turns usage counters into chart data: one row per bar, with one value for each of the largest series and one for the rest.

import type { Shapes } from '../../api/client.ts'
import { addCounters, METRICS, noCounters, type Counters, type MetricName } from './metrics.ts'
import { startsOf, type Range } from './range.ts'

type Usage = Shapes['Usage']

/** The number of colors that are easy to tell apart. */
const MOST_SERIES = 7

export interface Series {
  id: string
  name: string
  /** Combines everything without a series of its own. */
  isRest: boolean
}

export interface ChartRow {
  /** Milliseconds since 1970. */
  start: number
  /** In the order of the series. */
  values: (number | null)[]
}

export interface ChartData {
  series: Series[]
  rows: ChartRow[]
}

export function makeSeries(usage: Usage, range: Range, metricName: MetricName): ChartData {
  const metric = METRICS[metricName]
  const series = nameSeries(usage.sums, metric.valueOf)
  const places = new Map(series.map(({ id }, index) => [id, index]))
  const bars = startsOf(range).map((start) => ({ start, counters: series.map(noCounters) }))
  for (const { at, id, ...counters } of usage.points) {
    const bar = findBar(bars, Date.parse(at))
    const into = bar?.counters[places.get(id) ?? series.length - 1]
    if (into) addCounters(into, counters)
  }
  return { series, rows: bars.map(({ start, counters }) => ({ start, values: counters.map(metric.valueOf) })) }
}

// If all series fit, they keep their order and colors for every metric.
function nameSeries(sums: Usage['sums'], valueOf: (counters: Counters) => number | null): Series[] {
  if (sums.length <= MOST_SERIES + 1) return sums.map(toSeries)
  const ranked = sums.toSorted((one, other) => (valueOf(other) ?? 0) - (valueOf(one) ?? 0))
  const rest = { id: '\n', name: `${sums.length - MOST_SERIES} others`, isRest: true }
  return [...ranked.slice(0, MOST_SERIES).map(toSeries), rest]
}

function toSeries({ id, name }: Usage['sums'][number]): Series {
  return { id, name: nameOf(id, name), isRest: false }
}

/** Requests that never reached a device have no device. */
export function nameOf(id: string, name: string): string {
  return id === '' ? 'No device' : name
}

/** The last bar that starts at or before this time. */
function findBar<Bar extends { start: number; counters: Counters[] }>(
  bars: readonly Bar[],
  at: number,
): Bar | undefined {
  let low = 0
  let high = bars.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (bars[middle]!.start <= at) low = middle + 1
    else high = middle
  }
  return bars[low - 1]
}
