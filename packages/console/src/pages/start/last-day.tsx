import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/client.ts'
import { formatClock, formatCount, formatShort, plural } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { Loaded, Skeleton } from '../../parts/feedback/states.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { lastDay, sumHours, roundUp, type Hour } from './hours.ts'

export function LastDay() {
  const { isAdmin } = useSession()
  const range = lastDay(useNow())
  const query = useRead('/usage', { query: { ...range, by: 'model', step: 'hour' } })
  return (
    <section
      className="card grid gap-14 p-12.5 [&>.waiting]:border-0 [&>.waiting]:shadow-none"
      aria-labelledby="last-day"
    >
      <header className="flex items-baseline justify-between gap-10">
        <h2 id="last-day">{isAdmin ? 'Last 24 hours' : 'Your last 24 hours'}</h2>
        <Link to="/usage" className="text-small text-soft">
          All usage
        </Link>
      </header>
      <Loaded query={query} loading={<Skeleton lines={5} />}>
        {({ total, points }) =>
          total.requests === 0 ? (
            <p className="pt-5 pb-7.5 text-soft">No requests yet. They appear here as they come in.</p>
          ) : (
            <>
              <dl className="flex flex-wrap gap-x-25 gap-y-7.5 phone:grid phone:grid-cols-2">
                {figuresOf(total).map(([title, value]) => (
                  <div key={title}>
                    <dt className="text-small text-soft">{title}</dt>
                    <dd className="tabular-nums text-number font-strong tracking-[-0.03em] leading-[1.2]">{value}</dd>
                  </div>
                ))}
              </dl>
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

function figuresOf({ requests, errors, promptTokens, completionTokens }: Schemas['Usage']['total']) {
  return [
    ['Requests', formatShort(requests)],
    ['Tokens in', formatShort(promptTokens)],
    ['Tokens out', formatShort(completionTokens)],
    ['Error rate', `${((errors / requests) * 100).toFixed(errors > 0 && errors < requests / 100 ? 1 : 0)}%`],
  ] as const
}

/** Labels at every hour would overlap. */
const LABEL_EVERY = 6

/** Requests per hour, with failed ones on top. `label` says the same to screen readers. */
function DayChart({ hours, label }: { hours: readonly Hour[]; label: string }) {
  const most = roundUp(Math.max(...hours.map(({ requests }) => requests)))
  return (
    <div
      className="grid grid-cols-[auto_1fr] grid-rows-[11rem_auto] gap-x-7.5 gap-y-4 text-tiny text-faint"
      role="img"
      aria-label={label}
    >
      <div className="flex flex-col justify-between -my-6 text-right" aria-hidden>
        {[most, most / 2, 0].map((value) => (
          <span key={value} className="tabular-nums">
            {formatCount(value)}
          </span>
        ))}
      </div>
      <div
        className="grid auto-cols-[1fr] grid-flow-col gap-[3px] border-b border-line-strong [background:linear-gradient(var(--color-chart-grid)_1px,transparent_1px)_0_0_/_100%_50%]"
        aria-hidden
      >
        {hours.map((hour) => (
          <Bar key={hour.start} hour={hour} most={most} />
        ))}
      </div>
      <div className="col-start-2 flex justify-between" aria-hidden>
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
    <span
      className="flex flex-col justify-end min-w-0 hover:bg-ink/6"
      title={`${formatClock(start)}: ${plural(requests, 'request')}${failed}`}
    >
      <span className="bg-bad-solid rounded-t-[2px]" style={height(errors)} />
      <span className={`bg-chart ${errors > 0 ? '' : 'rounded-t-[2px]'}`} style={height(requests - errors)} />
    </span>
  )
}
