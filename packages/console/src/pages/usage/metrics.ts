// The metrics: how to read each from the counters, and how to format it.

import type { Schemas } from '../../api/client.ts'
import { formatCount, formatMs, formatShort } from '../../lib/format.ts'

export type Counters = Omit<Schemas['Usage']['total'], 'times'>

export const METRIC_NAMES = ['requests', 'tokensIn', 'tokensOut', 'errors', 'wait', 'busy'] as const
export type MetricName = (typeof METRIC_NAMES)[number]

/** How a chart shows its values. */
export interface Scale {
  title: string
  format: (value: number) => string
  /** For axes, where space is short. */
  formatShort: (value: number) => string
  /** Averages cannot be stacked. */
  isSum: boolean
}

interface Metric extends Scale {
  /** Null if there is nothing to measure. */
  valueOf: (counters: Counters) => number | null
}

export const METRICS: Record<MetricName, Metric> = {
  requests: sum('Requests', ({ requests }) => requests),
  tokensIn: sum('Tokens in', ({ promptTokens }) => promptTokens),
  tokensOut: sum('Tokens out', ({ completionTokens }) => completionTokens),
  errors: sum('Errors', ({ errors }) => errors),
  wait: {
    ...time('Average wait', ({ waitMs, requests }) => (requests === 0 ? null : waitMs / requests)),
    isSum: false,
  },
  busy: time('Device time', ({ busyMs }) => busyMs),
}

function sum(title: string, valueOf: Metric['valueOf']): Metric {
  return { title, valueOf, format: formatCount, formatShort, isSum: true }
}

function time(title: string, valueOf: Metric['valueOf']): Metric {
  return { title, valueOf, format: formatMs, formatShort: formatMs, isSum: true }
}

export function errorRate({ errors, requests }: Counters): number {
  return requests === 0 ? 0 : errors / requests
}

export function formatPercent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`
}

const COUNTERS = ['requests', 'errors', 'promptTokens', 'completionTokens', 'waitMs', 'busyMs'] as const

export function addCounters(into: Counters, more: Counters): void {
  for (const name of COUNTERS) into[name] += more[name]
}

export function noCounters(): Counters {
  return { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, waitMs: 0, busyMs: 0 }
}
