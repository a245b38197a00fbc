// Turns usage counters into chart data: one row per bar, with one value for each of the largest series and one for the rest.

import type { Schemas } from '../../../api/client.ts'
import { formatCount } from '../../../lib/format.ts'
import { addCounters, METRICS, noCounters, type Counters, type MetricName } from '../metrics.ts'
import { startsOf, type By, type Range } from '../range.ts'

type Usage = Schemas['Usage']

/** The number of colors that are easy to tell apart. */
const MOST_SERIES = 7

export interface Series {
  id: string
  name: string
  /** Combines everything without a series of its own. */
  isRest: boolean
}

export function colorOf(series: readonly Series[], index: number): string {
  return `var(--color-series-${series[index]?.isRest ? 'rest' : index})`
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

export function makeSeries(usage: Usage, range: Range, metricName: MetricName, by?: By): ChartData {
  const metric = METRICS[metricName]
  const series = nameSeries(usage, metric.valueOf, by)
  const positions = new Map(series.map(({ id }, index) => [id, index]))
  const bars = startsOf(range).map((start) => ({ start, counters: series.map(noCounters) }))
  for (const { at, id, ...counters } of usage.points) {
    const bar = findBar(bars, Date.parse(at))
    const into = bar?.counters[positions.get(id) ?? series.length - 1]
    if (into) addCounters(into, counters)
  }
  return { series, rows: bars.map(({ start, counters }) => ({ start, values: counters.map(metric.valueOf) })) }
}

/** If all series fit, they keep their order and colors for every metric. */
function nameSeries(
  { sums, leftOut }: Usage,
  valueOf: (counters: Counters) => number | null,
  by: By | undefined,
): Series[] {
  const toSeries = ({ id, name }: Usage['sums'][number]) => ({ id, name: seriesName(id, name, by), isRest: false })
  if (sums.length <= MOST_SERIES + 1) return sums.map(toSeries)
  const ranked = sums.toSorted((one, other) => (valueOf(other) ?? 0) - (valueOf(one) ?? 0))
  const rest = { id: '\n', name: `${formatCount(sums.length + leftOut - MOST_SERIES)} others`, isRest: true }
  return [...ranked.slice(0, MOST_SERIES).map(toSeries), rest]
}

/** Requests that never reached a device have no device, and requests for a model that does not exist have no model. */
export function seriesName(id: string, name: string, by?: By): string {
  if (id !== '') return name
  return by === 'model' ? 'Unknown model' : 'No device'
}

/** The last bar that starts at or before this time. */
function findBar<Bar extends { start: number }>(bars: readonly Bar[], at: number): Bar | undefined {
  let found: Bar | undefined
  let low = 0
  let high = bars.length
  while (low < high) {
    const middle = (low + high) >> 1
    const bar = bars[middle]
    if (bar === undefined || bar.start > at) high = middle
    else {
      found = bar
      low = middle + 1
    }
  }
  return found
}
