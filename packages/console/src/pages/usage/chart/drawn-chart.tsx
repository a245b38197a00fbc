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
      <div className={isLow ? 'chart chart-low' : 'chart'}>
        <Suspense fallback={<p className="soft">Loading chart…</p>}>
          <Chart {...chart} tickUnit={tickUnit ?? chart.unit} />
        </Suspense>
      </div>
      {legend}
      <details>
        <summary className="soft">Show as table</summary>
        <ChartTable {...chart} />
      </details>
    </>
  )
}

/** The data of the chart for screen readers and anyone who prefers numbers. Skips bars without data. */
function ChartTable({ data: { series, rows }, unit, scale: { title, format } }: ChartTableProps) {
  const filled = rows.filter(({ values }) => values.some((value) => value !== null && value > 0))
  return (
    <div className="chart-table" tabIndex={0} role="region" aria-label={`${title} as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ id, name }) => (
              <th key={id} scope="col">
                {showOddCharacters(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(({ start, values }) => (
            <tr key={start}>
              <th scope="row">{formatBar(start, unit)}</th>
              {series.map(({ id }, index) => (
                <td key={id} className="numbers">
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
