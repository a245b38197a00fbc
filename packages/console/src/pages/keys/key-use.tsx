import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Shapes } from '../../api/client.ts'
import { usage as usageQuery } from '../../api/queries/usage.ts'
import { formatCount, plural } from '../../lib/format.ts'
import { useNow } from '../../lib/now.ts'
import { DayBars, type DayBar } from '../../parts/chart/day-bars.tsx'
import { Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { useSession } from '../../session/session.ts'

const DAY_MS = 86_400_000
const DAYS = 30
const day = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric', timeZone: 'UTC' })

/** The use of a key in the last 30 days, in UTC days. */
export function KeyUse({ apiKey }: { apiKey: Shapes['Key'] }) {
  const { organization } = useSession()
  const today = Math.floor(useNow() / DAY_MS)
  const question = useMemo(() => {
    const [from, to] = [new Date((today - DAYS + 1) * DAY_MS), new Date((today + 1) * DAY_MS)]
    return { from: from.toISOString(), to: to.toISOString(), by: 'model', step: 'day', key: apiKey.id } as const
  }, [today, apiKey.id])
  const query = useQuery(usageQuery(organization.id, question))
  return (
    <section className="stack-small">
      <h3>Last 30 days</h3>
      <Loaded query={query} waiting={<Waiting lines={4} />}>
        {({ total, points }) => (
          <>
            <p className="soft numbers">
              {plural(total.requests, 'request')} · {formatCount(total.errors)} failed ·{' '}
              {formatCount(total.promptTokens + total.completionTokens)} tokens
            </p>
            <DayBars title="Requests per day" bars={barsOf(points, today)} />
          </>
        )}
      </Loaded>
    </section>
  )
}

function barsOf(points: Shapes['Usage']['points'], today: number): DayBar[] {
  const days = Map.groupBy(points, ({ at }) => Math.floor(Date.parse(at) / DAY_MS))
  return Array.from({ length: DAYS }, (_, index) => {
    const number = today - DAYS + 1 + index
    const own = days.get(number) ?? []
    const sum = (read: (point: (typeof points)[number]) => number) => own.reduce((all, one) => all + read(one), 0)
    return {
      label: day.format(number * DAY_MS),
      value: sum(({ requests }) => requests),
      bad: sum(({ errors }) => errors),
    }
  })
}
