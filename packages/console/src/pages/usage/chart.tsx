// The chart and its library, loaded only when there is data to draw.

import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import type { ChartData, ChartRow } from './make-series.ts'
import { ChartTooltip } from './chart-tooltip.tsx'
import { METRICS, type MetricName } from './metrics.ts'
import { formatTick, type Range } from './range.ts'

interface ChartProps {
  data: ChartData
  unit: Range['unit']
  metric: MetricName
}

/** Arrow keys move between bars. */
export function Chart({ data, unit, metric }: ChartProps) {
  const { isSum, title } = METRICS[metric]
  const frame = { data: data.rows, margin: { top: 8, right: 8, bottom: 0, left: 0 }, title: `${title} over time` }
  return (
    <ResponsiveContainer width="100%" height="100%">
      {isSum ? (
        <BarChart {...frame} barCategoryGap="15%">
          {axes({ data, unit, metric })}
          {data.series.map((series, index) => (
            <Bar
              key={series.id}
              dataKey={valueAt(index)}
              name={series.name}
              stackId="all"
              fill={colorOf(data, index)}
              isAnimationActive={false}
            />
          ))}
        </BarChart>
      ) : (
        <LineChart {...frame}>
          {axes({ data, unit, metric })}
          {data.series.map((series, index) => (
            <Line
              key={series.id}
              dataKey={valueAt(index)}
              name={series.name}
              stroke={colorOf(data, index)}
              strokeWidth={2}
              dot={{ r: 2, fill: colorOf(data, index) }}
              connectNulls
              isAnimationActive={false}
            />
          ))}
        </LineChart>
      )}
    </ResponsiveContainer>
  )
}

function axes({ data, unit, metric }: ChartProps) {
  const { formatShort } = METRICS[metric]
  const look = { stroke: 'var(--text-faint)', tickLine: false, axisLine: false, fontSize: 12 }
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        {...look}
        dataKey="start"
        minTickGap={28}
        ticks={ticksOf(data, unit)}
        tickFormatter={(at: number) => formatTick(at, unit)}
      />
      <YAxis {...look} width={52} allowDecimals={false} tickFormatter={formatShort} />
      <Tooltip
        cursor={{ fill: 'var(--hover)', stroke: 'var(--line-strong)' }}
        isAnimationActive={false}
        content={({ active, label }) => {
          const row = data.rows.find(({ start }) => start === label)
          return active && row ? <ChartTooltip row={row} data={data} unit={unit} metric={metric} /> : null
        }}
      />
    </>
  )
}

/** If a day has several bars, only the first one gets a label. */
function ticksOf({ rows }: ChartData, unit: Range['unit']): number[] {
  const starts = rows.map(({ start }) => start)
  return unit === 'quarter-day' ? starts.filter((start) => new Date(start).getHours() === 0) : starts
}

function valueAt(index: number) {
  return ({ values }: ChartRow) => values[index]
}

function colorOf({ series }: ChartData, index: number): string {
  return `var(--series-${series[index]?.isRest ? 'rest' : index})`
}
