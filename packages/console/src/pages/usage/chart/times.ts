// Times of requests as chart data: the median and the worst twentieth of each step.

import type { Schemas } from '../../../api/client.ts'
import { formatMs, formatSpeed } from '../../../lib/format.ts'
import type { ChartData } from './make-series.ts'
import type { Scale } from '../metrics.ts'
import { startsOf, type Range } from '../range.ts'

export type TimeName = keyof Schemas['UsageTimes']

export const TIME_NAMES = ['firstTokenMs', 'waitMs', 'tokensPerSecond'] as const satisfies readonly TimeName[]

/** The worst twentieth. */
export const BAD_NAME = 'Slowest 5%'

interface Time {
  scale: Scale
  about: string
}

export const TIMES: Record<TimeName, Time> = {
  firstTokenMs: {
    scale: scaleOf('First token', formatMs),
    about: 'From the request to the first token of its response.',
  },
  waitMs: {
    scale: scaleOf('Wait', formatMs),
    about: 'From the request until a device took it.',
  },
  tokensPerSecond: {
    scale: scaleOf('Tokens/s', formatSpeed),
    about: 'How fast each response was written, after its first token.',
  },
}

function scaleOf(title: string, format: (value: number) => string): Scale {
  return { title, format, formatShort: format, isSum: false }
}

export function timesChart({ steps }: Schemas['Usage'], range: Range, name: TimeName): ChartData {
  const known = new Map(steps.map(({ at, times }) => [Date.parse(at), times[name]]))
  const starts = startsOf({ ...range, unit: range.step === 'day' ? 'utc-day' : 'hour' })
  return {
    series: [
      { id: 'median', name: 'Median', isRest: false },
      { id: 'bad', name: BAD_NAME, isRest: false },
    ],
    rows: starts.map((start) => {
      const times = known.get(start)
      return { start, values: [times?.median ?? null, times?.bad ?? null] }
    }),
  }
}
