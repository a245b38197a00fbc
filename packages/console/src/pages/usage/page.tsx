import { Link } from '@tanstack/react-router'
import { ChartColumn, Download } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { useNow } from '../../lib/now.ts'
import { Button } from '../../parts/control/button.tsx'
import { Segments } from '../../parts/control/filter-bar.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Empty, Loaded, Skeleton } from '../../parts/feedback/states.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { BudgetsCard } from './budgets-card.tsx'
import { ChartCard } from './chart/chart-card.tsx'
import { downloadCsv, makeCsv } from './make-csv.ts'
import { type MetricName, errorRate, formatPercent, METRIC_NAMES, METRICS, type Counters } from './metrics.ts'
import { RangeBar, type ChosenRange } from './range-bar.tsx'
import { dayOf, errorIn, rangeOf, type By, type Range } from './range.ts'
import type { RequestFilter } from './requests/request-filters.tsx'
import { RequestList } from './requests/request-list.tsx'
import { SumsTable } from './sums-table.tsx'
import { TimesCard } from './chart/times-card.tsx'
import { formatCount } from '../../lib/format.ts'

const HOUR_MS = 3_600_000

export function UsagePage() {
  const { isAdmin } = useSession()
  const [by, setBy] = useState<By>('model')
  const { chosen, setChosen, range, isWrong, query } = usePeriod(by)
  const usage = isWrong ? undefined : query.data
  const { opened, device } = useListSearch()
  const [linked] = useState<RequestFilter>({
    ...(opened !== undefined && { key: opened }),
    ...(device !== undefined && { device }),
  })
  const [filter, setFilter] = useState(linked)
  function showCode(code: string): void {
    setFilter({ ...filter, result: code })
    document.getElementById('requests')?.scrollIntoView({ behavior: 'smooth' })
  }
  return (
    <Page
      title="Usage"
      shape="wide"
      about={`Requests, tokens, errors and response times${isAdmin ? '' : ' of your own keys'}. Prompts and responses are never recorded.`}
      actions={
        <Button
          icon={Download}
          disabled={usage === undefined || usage.points.length === 0}
          onClick={() => usage && downloadCsv(`usage-by-${by}-${usage.from.slice(0, 10)}.csv`, makeCsv(usage, by))}
        >
          Export CSV
        </Button>
      }
    >
      <div className="bar">
        <RangeBar chosen={chosen} onChoose={setChosen} />
        <Segments label="Group by" value={by} onChange={setBy} choices={GROUPS} />
      </div>
      <BudgetsCard apiKey={filter.key} />
      {!isWrong && (
        <Loaded query={query} loading={<Skeleton lines={12} />}>
          {(usage) => <UsageView usage={usage} range={range} by={by} onCode={showCode} />}
        </Loaded>
      )}
      {usage && usage.total.requests > 0 && (
        <RequestList filter={filter} onFilter={setFilter} range={range} isLinked={Object.keys(linked).length > 0} />
      )}
    </Page>
  )
}

const GROUPS = [
  { value: 'model', label: 'By model' },
  { value: 'key', label: 'By key' },
  { value: 'device', label: 'By device' },
] as const

/** The chosen period and its usage. Nothing is asked while the chosen days make no period. */
function usePeriod(by: By) {
  const now = useNow()
  const [chosen, setChosen] = useState<ChosenRange>({ name: 'week', first: dayOf(now, -6), last: dayOf(now) })
  const isWrong = chosen.name === 'custom' && errorIn(chosen) !== undefined
  const hour = Math.floor(now / HOUR_MS)
  const range = useMemo(() => rangeOf(isWrong ? 'week' : chosen.name, chosen, hour * HOUR_MS), [chosen, hour, isWrong])
  const parameters = { from: range.from.toISOString(), to: range.to.toISOString(), by, step: range.step }
  const query = useRead('/usage', { query: parameters }, { enabled: !isWrong })
  return { chosen, setChosen, range, isWrong, query }
}

interface ViewProps {
  usage: Schemas['Usage']
  range: Range
  by: By
  /** Shows the requests that failed with this code. */
  onCode: (code: string) => void
}

function UsageView({ usage, range, by, onCode }: ViewProps) {
  const [metric, setMetric] = useState<MetricName>('requests')
  if (usage.total.requests === 0)
    return (
      <Empty
        icon={ChartColumn}
        title="No requests in this period"
        action={
          <Link to="/playground" className="button">
            Try a model in the playground
          </Link>
        }
      >
        API requests show up here within about ten seconds, with their tokens and how long they waited for a device.
      </Empty>
    )
  return (
    <>
      {/* Totals of the whole range. The chart shows the selected one. There are six: no row has a single one. */}
      <div
        className="grid grid-cols-[repeat(2,1fr)] gap-7.5 min-[40rem]:grid-cols-[repeat(3,1fr)] min-[80rem]:grid-cols-[repeat(6,1fr)]"
        role="group"
        aria-label="Metric"
      >
        {METRIC_NAMES.map((name) => (
          <button
            key={name}
            type="button"
            className="card grid gap-1 content-start text-left px-10 py-8 hover:bg-hover aria-pressed:border-ink aria-pressed:shadow-[inset_0_0_0_1px_var(--color-ink)]"
            aria-pressed={name === metric}
            onClick={() => setMetric(name)}
          >
            <span className="text-soft text-small">{METRICS[name].title}</span>
            <span className="tabular-nums text-[1.5rem] font-strong tracking-[-0.02em]">
              {valueOf(name, usage.total)}
            </span>
            <span className="text-faint text-small">
              {name === 'errors' && `${formatPercent(errorRate(usage.total))} of requests`}
            </span>
          </button>
        ))}
      </div>
      <ChartCard usage={usage} range={range} metric={metric} by={by} />
      <div className="grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] gap-10 items-start max-[70rem]:grid-cols-1">
        <TimesCard usage={usage} range={range} />
        <FailuresCard usage={usage} onChoose={onCode} />
      </div>
      <SumsTable usage={usage} by={by} />
    </>
  )
}

/** Failed requests by error code, including those that never reached a device. */
function FailuresCard({ usage, onChoose }: { usage: Schemas['Usage']; onChoose: (code: string) => void }) {
  const { codes, total } = usage
  const most = codes[0]?.requests ?? 1
  return (
    <section className="card card-body stack" aria-label="Failed requests by code">
      <header>
        <h2>Failed requests</h2>
        <p className="text-soft text-small">
          {codes.length > 0
            ? 'By error code, including requests that were rejected before they reached a device.'
            : describeNone(total.errors)}
        </p>
      </header>
      <ul className="grid gap-2.5">
        {codes.map(({ code, status, requests }) => (
          <li key={code}>
            <button
              type="button"
              className="grid grid-cols-[1fr_auto] gap-x-10 gap-y-3 w-full text-left rounded-small px-5 py-4.5 hover:bg-hover"
              onClick={() => onChoose(code)}
            >
              <span className="min-w-0 wrap-anywhere">
                <code>{code}</code> {status > 0 && <span className="text-faint text-small">{status}</span>}
              </span>
              <span className="tabular-nums">{formatCount(requests)}</span>
              <span
                className="col-span-full h-[4px] bg-bad-solid rounded-[2px]"
                aria-hidden
                style={{ width: `${(requests / most) * 100}%` }}
              />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Error codes are recorded since a later version than errors are. */
function describeNone(errors: number): string {
  if (errors === 0) return 'Every request in this period was answered or canceled by its client.'
  return `${formatCount(errors)} failed. Their error codes were not recorded.`
}

function valueOf(name: MetricName, total: Counters): string {
  const { valueOf, format } = METRICS[name]
  const value = valueOf(total)
  return value === null ? '–' : format(value)
}
