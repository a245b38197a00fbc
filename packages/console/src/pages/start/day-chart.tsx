import { formatCount, plural } from '../../lib/format.ts'
import { roundUp, type Hour } from './hours.ts'
import './day-chart.css'

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' })
/** Labels at every hour would overlap. */
const LABEL_EVERY = 6

/** Requests per hour, with failed ones on top. `label` says the same to screen readers. */
export function DayChart({ hours, label }: { hours: readonly Hour[]; label: string }) {
  const most = roundUp(Math.max(...hours.map(({ requests }) => requests)))
  return (
    <div className="day-chart" role="img" aria-label={label}>
      <div className="day-scale" aria-hidden>
        {[most, most / 2, 0].map((value) => (
          <span key={value} className="numbers">
            {formatCount(value)}
          </span>
        ))}
      </div>
      <div className="hour-bars" aria-hidden>
        {hours.map((hour) => (
          <Bar key={hour.start} hour={hour} most={most} />
        ))}
      </div>
      <div className="day-hours" aria-hidden>
        {hours
          .filter((_, index) => index % LABEL_EVERY === 0)
          .map(({ start }) => (
            <span key={start}>{clock.format(start)}</span>
          ))}
        <span>now</span>
      </div>
    </div>
  )
}

function Bar({ hour: { start, requests, errors }, most }: { hour: Hour; most: number }) {
  const height = (value: number) => ({ height: `${(value / most) * 100}%` })
  const failed = errors > 0 ? `, ${formatCount(errors)} failed` : ''
  return (
    <span className="hour-bar" title={`${clock.format(start)}: ${plural(requests, 'request')}${failed}`}>
      <span className="hour-bar-failed" style={height(errors)} />
      <span className="hour-bar-good" style={height(requests - errors)} />
    </span>
  )
}
