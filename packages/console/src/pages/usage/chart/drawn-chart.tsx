import { Suspense, type ReactNode } from 'react'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import type { ChartData } from './make-series.ts'
import type { Scale } from '../metrics.ts'
import { formatBar, type Range } from '../range.ts'

const Chart = lazyPart(async () => (await import('./chart.tsx')).Chart)

interface ChartTableProps {
  data: ChartData
  unit: Range['unit']
  scale: Scale
}

interface DrawnChartProps extends ChartTableProps {
  /** Where labels under the chart go, if not at every bar. */
  tickUnit?: Range['unit']
  isLow?: boolean
  legend?: ReactNode
}

/** A chart that loads with its library, and the same as a table. */
export function DrawnChart({ isLow = false, legend, tickUnit, ...chart }: DrawnChartProps) {
  return (
    <>
      <div className={`min-w-0 ${isLow ? 'h-130' : 'h-190'} [&_:focus-visible]:outline-offset-0`}>
        <Suspense fallback={<p className="text-soft">Loading chart…</p>}>
          <Chart {...chart} tickUnit={tickUnit ?? chart.unit} />
        </Suspense>
      </div>
      {legend}
      <details>
        <summary className="text-soft">Show as table</summary>
        <ChartTable {...chart} />
      </details>
    </>
  )
}

const CELL = 'px-7.5 py-3.5 border-b border-line'
const HEAD = `${CELL} sticky top-0 font-medium whitespace-nowrap bg-surface`

/** The data of the chart for screen readers and anyone who prefers numbers. Skips bars without data. */
function ChartTable({ data: { series, rows }, unit, scale: { title, format } }: ChartTableProps) {
  const filled = rows.filter(({ values }) => values.some((value) => value !== null && value > 0))
  return (
    <div className="mt-7.5 max-h-240 overflow-auto" tabIndex={0} role="region" aria-label={`${title} as a table`}>
      <table className="border-collapse text-small">
        <thead>
          <tr>
            <th className={`${HEAD} text-left`} scope="col">
              Time
            </th>
            {series.map(({ id, name }) => (
              <th className={`${HEAD} text-right`} key={id} scope="col">
                {showOddCharacters(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(({ start, values }) => (
            <tr key={start}>
              <th className={`${CELL} text-left font-medium whitespace-nowrap`} scope="row">
                {formatBar(start, unit)}
              </th>
              {series.map(({ id }, index) => (
                <td key={id} className={`${CELL} text-right tabular-nums`}>
                  {formatValue(values[index], format)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function formatValue(value: number | null | undefined, format: Scale['format']): string {
  return value === null || value === undefined ? '–' : format(value)
}
