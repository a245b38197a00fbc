import { useMemo } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Name } from '../../../parts/text/name.tsx'
import { DrawnChart } from './drawn-chart.tsx'
import { colorOf, makeSeries, type ChartData } from './make-series.ts'
import { METRICS, type MetricName } from '../metrics.ts'
import type { By, Range } from '../range.ts'

interface ChartCardProps {
  usage: Schemas['Usage']
  range: Range
  metric: MetricName
  by: By
}

export function ChartCard({ usage, range, metric, by }: ChartCardProps) {
  const data = useMemo(() => makeSeries(usage, range, metric, by), [usage, range, metric, by])
  const { title } = METRICS[metric]
  return (
    <section className="card card-body stack" aria-label={`${title} by ${by}`}>
      <header>
        <h2>
          {title} by {by}
        </h2>
        <p className="text-soft text-small">
          {range.unit === 'utc-day' ? 'Days are in UTC.' : `Times are in your time zone, ${zone()}.`}
        </p>
      </header>
      <DrawnChart data={data} unit={range.unit} scale={METRICS[metric]} legend={<Legend series={data.series} />} />
    </section>
  )
}

function Legend({ series }: Pick<ChartData, 'series'>) {
  return (
    <ul className="text-small flex flex-wrap gap-x-11 gap-y-3">
      {series.map(({ id, name }, index) => (
        <li className="flex items-baseline gap-4.5 min-w-0" key={id}>
          <span className="size-7 flex-none rounded-[3px]" style={{ background: colorOf(series, index) }} aria-hidden />
          <Name text={name} />
        </li>
      ))}
    </ul>
  )
}

function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
