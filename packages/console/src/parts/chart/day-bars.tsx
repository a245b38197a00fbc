import { formatCount, formatShort } from '../../lib/format.ts'
import { niceTicks } from '../../lib/nice-ticks.ts'

export interface DayBar {
  /** Names the day: "Nov 15". */
  label: string
  value: number
  /** A part of the value to set apart, such as errors. */
  bad?: number
}

interface DayBarsProps {
  /** Says what the bars count: "Requests per day". */
  title: string
  bars: readonly DayBar[]
}

/** A small bar chart without a library, with a table for screen readers and anyone who prefers numbers. */
export function DayBars({ title, bars }: DayBarsProps) {
  return (
    <figure className="grid gap-4 relative">
      <figcaption className="text-soft text-small">{title}</figcaption>
      <Plot bars={bars} />
      <div className="text-faint text-small flex justify-between mr-27.5" aria-hidden>
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <table className="sr-only">
        <caption>{title}</caption>
        <tbody>
          {bars
            .filter(({ value }) => value > 0)
            .map(({ label, value, bad }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{formatCount(value)}</td>
                {bad !== undefined && <td>{formatCount(bad)} failed</td>}
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  )
}

function Plot({ bars }: Pick<DayBarsProps, 'bars'>) {
  const ticks = niceTicks(Math.max(...bars.map(({ value }) => value)), { about: 2 })
  const top = Math.max(...ticks)
  const share = (value: number) => `${(value / top) * 100}%`
  return (
    <div className="relative h-70 mt-5 mr-27.5 border-b border-line" aria-hidden>
      {ticks.map((tick) => (
        <span
          key={tick}
          className="text-faint tabular-nums absolute left-0 -right-27.5 pl-[calc(100%-2.25rem)] text-tiny leading-none text-right translate-y-1/2 before:absolute before:left-0 before:right-27.5 before:top-1/2 before:border-0 before:border-t before:border-dashed before:border-line"
          style={{ bottom: share(tick) }}
        >
          {formatShort(tick)}
        </span>
      ))}
      <div className="absolute inset-0 flex items-end gap-[2px]">
        {bars.map(({ label, value, bad = 0 }) => (
          <span
            key={label}
            className="flex flex-1 items-end h-full rounded-t-[3px] hover:bg-hover"
            title={`${label}: ${formatCount(value)}`}
          >
            <span
              className="flex items-start w-full min-h-0 overflow-hidden bg-series-0 rounded-t-[3px]"
              style={{ height: share(value) }}
            >
              {bad > 0 && (
                <span className="w-full min-h-[2px] bg-bad-solid" style={{ height: `${(bad / value) * 100}%` }} />
              )}
            </span>
          </span>
        ))}
      </div>
    </div>
  )
}
