import { Name } from '../../../parts/text/name.tsx'
import type { ChartData, ChartRow } from './make-series.ts'
import type { Scale } from '../metrics.ts'
import { formatBar, type Range } from '../range.ts'

interface ChartTooltipProps {
  row: ChartRow
  data: ChartData
  unit: Range['unit']
  scale: Scale
}

/** The values of one bar, largest first. */
export function ChartTooltip({ row, data: { series }, unit, scale: { format } }: ChartTooltipProps) {
  const lines = series
    .map((one, index) => ({ ...one, value: row.values[index] ?? 0, index }))
    .filter(({ value }) => value > 0)
    .toSorted((one, other) => other.value - one.value)
  return (
    <div className="chart-tooltip card small">
      <p className="soft">{formatBar(row.start, unit)}</p>
      {lines.length === 0 && <p className="faint">No data</p>}
      {lines.map(({ value, index, id, name, isRest }) => (
        <p key={id} className="chart-tooltip-line">
          <span className={`swatch series-${isRest ? 'rest' : index}`} aria-hidden />
          <Name text={name} />
          <span className="numbers">{format(value)}</span>
        </p>
      ))}
    </div>
  )
}
