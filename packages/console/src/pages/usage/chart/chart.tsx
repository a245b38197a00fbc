// The chart and its library, loaded only when there is data to draw.

import { Bar, BarChart, CartesianGrid, Line, LineChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts'
import { colorOf, type ChartData, type ChartRow } from './make-series.ts'
import { niceTicks } from '../../../lib/nice-ticks.ts'
import type { Scale } from '../metrics.ts'
import { formatTick, type Range, formatBar } from '../range.ts'
import { Name } from '../../../parts/text/name.tsx'

interface ChartProps {
  data: ChartData
  unit: Range['unit']
  /** Where labels under the chart go, if not at every bar. */
  tickUnit?: Range['unit']
  scale: Scale
}

/** Arrow keys move between bars. */
export function Chart(props: ChartProps) {
  const { data, scale } = props
  const { isSum, title } = scale
  // Lines have their names at their ends.
  const margin = { top: 8, right: isSum ? 8 : 96, bottom: 0, left: 0 }
  const frame = { data: data.rows, margin, title: `${title} over time` }
  return (
    <ResponsiveContainer width="100%" height="100%">
      {isSum ? (
        <BarChart {...frame} barCategoryGap="15%">
          {axes(props)}
          {bars(data)}
        </BarChart>
      ) : (
        <LineChart {...frame}>
          {axes(props)}
          {lines(data)}
        </LineChart>
      )}
    </ResponsiveContainer>
  )
}

/** These are functions and not components, because the library looks for its own elements among the children. */
function bars(data: ChartData) {
  return data.series.map((series, index) => (
    <Bar key={series.id} {...drawn(series, index)} stackId="all" fill={colorOf(data.series, index)} />
  ))
}

function lines(data: ChartData) {
  return data.series.map((series, index) => (
    <Line
      key={series.id}
      {...drawn(series, index)}
      stroke={colorOf(data.series, index)}
      strokeWidth={2}
      dot={{ r: 2, fill: colorOf(data.series, index) }}
      connectNulls
      label={endLabel(data, index)}
    />
  ))
}

function drawn({ name }: ChartData['series'][number], index: number) {
  return { dataKey: valueAt(index), name, isAnimationActive: false }
}

function axes({ data, unit, tickUnit = unit, scale }: ChartProps) {
  const { formatShort } = scale
  const ticks = niceTicks(highest(data, scale.isSum), { isWhole: scale.isSum })
  const look = { stroke: 'var(--color-faint)', tickLine: false, axisLine: false, fontSize: 12 }
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--color-line)" />
      <XAxis
        {...look}
        dataKey="start"
        minTickGap={28}
        ticks={ticksOf(data, tickUnit)}
        tickFormatter={(at: number) => formatTick(at, tickUnit)}
      />
      <YAxis
        {...look}
        width={64}
        ticks={ticks}
        domain={[0, Math.max(...ticks)]}
        interval={0}
        tickFormatter={formatShort}
      />
      <Tooltip
        cursor={{ fill: 'var(--color-hover)', stroke: 'var(--color-line-strong)' }}
        isAnimationActive={false}
        content={({ active, label }) => {
          const row = data.rows.find(({ start }) => start === label)
          return active && row ? <ChartTooltip row={row} data={data} unit={unit} scale={scale} /> : null
        }}
      />
    </>
  )
}

interface LabelPoint {
  x?: number | string | undefined
  y?: number | string | undefined
  index?: number | undefined
}

function endLabel(data: ChartData, series: number) {
  return (point: LabelPoint) => <EndLabel {...point} data={data} series={series} />
}

/** The name of a line, beside its last point. */
function EndLabel({ x, y, index, data, series }: LabelPoint & { data: ChartData; series: number }) {
  const last = data.rows.findLastIndex(({ values }) => values[series] !== null)
  if (index !== last) return <g />
  return (
    <text
      x={Number(x) + 8}
      y={Number(y)}
      dy="0.32em"
      className="text-[12px] font-medium"
      fill={colorOf(data.series, series)}
    >
      {data.series[series]?.name.slice(0, 14)}
    </text>
  )
}

function highest({ rows }: ChartData, isStacked: boolean): number {
  return rows.reduce((most, { values }) => {
    const all = values.map((value) => value ?? 0)
    return Math.max(most, isStacked ? all.reduce((sum, value) => sum + value, 0) : Math.max(0, ...all))
  }, 0)
}

/** If a day has several bars, only the first one gets a label. */
function ticksOf({ rows }: ChartData, unit: Range['unit']): number[] {
  const starts = rows.map(({ start }) => start)
  return unit === 'quarter-day' ? starts.filter((start) => new Date(start).getHours() === 0) : starts
}

function valueAt(index: number) {
  return ({ values }: ChartRow) => values[index]
}

interface ChartTooltipProps {
  row: ChartRow
  data: ChartData
  unit: Range['unit']
  scale: Scale
}

/** The values of one bar, largest first. */
function ChartTooltip({ row, data: { series }, unit, scale: { format } }: ChartTooltipProps) {
  const lines = series
    .map((one, index) => ({ ...one, value: row.values[index] ?? 0, index }))
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value)
  return (
    <div className="card text-small grid gap-1.5 max-w-200 bg-raised shadow-large px-8 py-6">
      <p className="text-soft">{formatBar(row.start, unit)}</p>
      {lines.length === 0 && <p className="text-faint">No data</p>}
      {lines.map(({ value, index, id, name }) => (
        <p key={id} className="grid grid-cols-[auto_1fr_auto] items-baseline gap-5">
          <span className="size-7 flex-none rounded-[3px]" style={{ background: colorOf(series, index) }} aria-hidden />
          <Name text={name} />
          <span className="tabular-nums">{format(value)}</span>
        </p>
      ))}
    </div>
  )
}
