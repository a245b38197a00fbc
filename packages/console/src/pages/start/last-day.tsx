import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { usage as usageQuery } from '../../api/queries/usage.ts'
import { formatCount, formatShort, plural } from '../../lib/format.ts'
import { Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { useSession } from '../../session/session.ts'
import { DayChart } from './day-chart.tsx'
import { lastDay, sumHours } from './hours.ts'

export function LastDay() {
  const { organization, isAdmin } = useSession()
  const [range] = useState(() => lastDay(Date.now()))
  const query = useQuery(usageQuery(organization.id, { ...range, by: 'model', step: 'hour' }))
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
