import { useMemo } from 'react'
import type { Shapes } from '../../api/client.ts'
import type { UsageQuestion } from '../../api/queries.ts'
import { formatCount } from '../../lib/format.ts'
import { Name } from '../../parts/name.tsx'
import { Section } from '../../parts/page.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { errorRate, formatMs, formatPercent, METRICS } from './metrics.ts'
import { nameOf } from './make-series.ts'

type Sum = Shapes['Usage']['sums'][number]

const TITLES = { model: 'Model', key: 'Key', device: 'Device' }

export function SumsTable({ usage, by }: { usage: Shapes['Usage']; by: UsageQuestion['by'] }) {
  const columns = useMemo(() => columnsFor(TITLES[by]), [by])
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
    </Section>
  )
}

function columnsFor(title: string): Column<Sum>[] {
  return [
    {
      title,
      kind: 'main',
      cell: ({ id, name }) => <Name text={nameOf(id, name)} isStrong />,
      sortBy: ({ id, name }) => nameOf(id, name),
    },
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
    {
      title: 'Average wait',
      kind: 'number',
      cell: (sum) => formatMs(METRICS.wait.valueOf(sum) ?? 0),
      sortBy: METRICS.wait.valueOf,
    },
  ]
}

function counted(title: string, valueOf: (sum: Sum) => number): Column<Sum> {
  return { title, kind: 'number', cell: (sum) => formatCount(valueOf(sum)), sortBy: valueOf }
}
