import { formatCount, formatShort } from '../../lib/format.ts'
import { niceTicks } from '../../lib/nice-ticks.ts'
import './day-bars.css'

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
    <figure className="day-bars">
      <figcaption className="soft small">{title}</figcaption>
      <Plot bars={bars} />
      <div className="day-bars-ends faint small" aria-hidden>
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </div>
      <BarTable title={title} bars={bars} />
    </figure>
  )
}

function Plot({ bars }: Pick<DayBarsProps, 'bars'>) {
  const ticks = niceTicks(Math.max(...bars.map(({ value }) => value)), { about: 2 })
  const top = Math.max(...ticks)
  const share = (value: number) => `${(value / top) * 100}%`
  return (
    <div className="day-bars-plot" aria-hidden>
      {ticks.map((tick) => (
        <span key={tick} className="day-bars-tick faint numbers" style={{ bottom: share(tick) }}>
          {formatShort(tick)}
        </span>
      ))}
      <div className="day-bars-bars">
        {bars.map(({ label, value, bad = 0 }) => (
          <span key={label} className="day-bar" title={`${label}: ${formatCount(value)}`}>
            <span className="day-bar-good" style={{ height: share(value) }}>
              {bad > 0 && <span className="day-bar-bad" style={{ height: `${(bad / value) * 100}%` }} />}
            </span>
          </span>
        ))}
      </div>
    </div>
  )
}

function BarTable({ title, bars }: DayBarsProps) {
  return (
    <table className="unseen">
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
  )
}
