import { useMemo } from 'react'
import type { Schemas } from '../../api/client.ts'
import { formatCount, formatMs, formatSpeed, plural } from '../../lib/format.ts'
import { Name } from '../../parts/text/name.tsx'
import { Section } from '../../parts/frame/page.tsx'
import type { Column } from '../../parts/table/column.ts'
import { Table } from '../../parts/table/table.tsx'
import { errorRate, formatPercent, METRICS } from './metrics.ts'
import { seriesName } from './chart/make-series.ts'
import type { By } from './range.ts'

type Sum = Schemas['Usage']['sums'][number]

const TITLES = { model: 'Model', key: 'Key', device: 'Device' }

export function SumsTable({ usage, by }: { usage: Schemas['Usage']; by: By }) {
  const columns = useMemo(() => columnsFor(by, usage.total.busyMs), [by, usage.total.busyMs])
  return (
    <Section title={`Totals by ${by}`}>
      <Table
        label={`Usage by ${by}`}
        columns={columns}
        rows={usage.sums}
        keyOf={({ id }) => id}
        sortedBy="Requests"
        isDescending
      />
      {usage.leftOut > 0 && (
        <p className="text-soft">and {plural(usage.leftOut, TITLES[by].toLowerCase())} with fewer requests</p>
      )}
    </Section>
  )
}

/** Ten columns fit on a laptop only if they are closer together. */
const CLOSE = '@min-[48rem]:pl-4'

function columnsFor(by: By, allBusyMs: number): Column<Sum>[] {
  const numbers: Column<Sum>[] = [
    counted('Requests', ({ requests }) => requests),
    counted('Errors', ({ errors }) => errors),
    {
      title: 'Error rate',
      kind: 'number',
      isMinor: true,
      cell: (sum) => formatPercent(errorRate(sum)),
      sortBy: errorRate,
    },
    counted('Tokens in', ({ promptTokens }) => promptTokens),
    counted('Tokens out', ({ completionTokens }) => completionTokens),
    timed('First token', ({ times }) => times.firstTokenMs?.median, formatMs),
    timed('Tokens/s', ({ times }) => times.tokensPerSecond?.median, formatSpeed),
    timed('Average wait', METRICS.wait.valueOf, formatMs),
    {
      title: 'Device time',
      kind: 'number',
      cell: ({ busyMs }) => (
        <span title={`${formatPercent(allBusyMs === 0 ? 0 : busyMs / allBusyMs)} of all`}>{formatMs(busyMs)}</span>
      ),
      sortBy: ({ busyMs }) => busyMs,
    },
  ]
  return [
    {
      title: TITLES[by],
      kind: 'main',
      cell: ({ id, name }) => <Name text={seriesName(id, name, by)} isStrong />,
      sortBy: ({ id, name }) => seriesName(id, name, by),
    },
    ...numbers.map((column) => ({ ...column, className: CLOSE })),
  ]
}

function timed(
  title: string,
  valueOf: (sum: Sum) => number | null | undefined,
  format: (value: number) => string,
): Column<Sum> {
  return {
    title,
    kind: 'number',
    cell: (sum) => {
      const value = valueOf(sum) ?? null
      return value === null ? '–' : format(value)
    },
    sortBy: (sum) => valueOf(sum) ?? null,
  }
}

function counted(title: string, valueOf: (sum: Sum) => number): Column<Sum> {
  return { title, kind: 'number', cell: (sum) => formatCount(valueOf(sum)), sortBy: valueOf }
}
