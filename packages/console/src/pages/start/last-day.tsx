import { Link } from '@tanstack/react-router'
import type { Shapes } from '../../api/client.ts'
import { usage as usageQuery } from '../../api/queries/usage.ts'
import { formatClock, formatCount, formatShort, plural } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { lastDay, sumHours, roundUp, type Hour } from './hours.ts'
import './day-chart.css'

export function LastDay() {
  const { isAdmin } = useSession()
  const range = lastDay(useNow())
  const query = useRead(usageQuery, { ...range, by: 'model', step: 'hour' })
  return (
    <section className="card last-day" aria-labelledby="last-day">
      <header className="panel-head">
        <h2 id="last-day">{isAdmin ? 'Last 24 hours' : 'Your last 24 hours'}</h2>
        <Link to="/usage">All usage</Link>
      </header>
      <Loaded query={query} waiting={<Waiting lines={5} />}>
        {({ total, points }) =>
          total.requests === 0 ? (
            <p className="panel-none">No requests yet. They appear here as they come in.</p>
          ) : (
            <>
              <Totals total={total} />
              <DayChart
                hours={sumHours(points, range.from)}
                label={`${plural(total.requests, 'request')} in the last 24 hours, ${formatCount(total.errors)} failed`}
              />
            </>
          )
        }
      </Loaded>
    </section>
  )
}

function Totals({ total: { requests, errors, promptTokens, completionTokens } }: Pick<Shapes['Usage'], 'total'>) {
  const values = [
    ['Requests', formatShort(requests)],
    ['Tokens in', formatShort(promptTokens)],
    ['Tokens out', formatShort(completionTokens)],
    ['Error rate', `${((errors / requests) * 100).toFixed(errors > 0 && errors < requests / 100 ? 1 : 0)}%`],
  ] as const
  return (
    <dl className="totals">
      {values.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd className="numbers">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Labels at every hour would overlap. */
const LABEL_EVERY = 6

/** Requests per hour, with failed ones on top. `label` says the same to screen readers. */
function DayChart({ hours, label }: { hours: readonly Hour[]; label: string }) {
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
            <span key={start}>{formatClock(start)}</span>
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
    <span className="hour-bar" title={`${formatClock(start)}: ${plural(requests, 'request')}${failed}`}>
      <span className="hour-bar-failed" style={height(errors)} />
      <span className="hour-bar-good" style={height(requests - errors)} />
    </span>
  )
}
