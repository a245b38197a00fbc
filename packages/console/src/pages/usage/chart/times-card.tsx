import { Suspense, useMemo, useState } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'
import { Segments } from '../../../parts/control/filter-bar.tsx'
import { ChartTable } from './chart-table.tsx'
import { TIME_NAMES, TIMES, timesChart, type TimeName } from './times.ts'
import type { Range } from '../range.ts'

const Chart = lazyPart(async () => (await import('./chart.tsx')).Chart)

/** How long requests take: the middle one, and the worst twentieth. */
export function TimesCard({ usage, range }: { usage: Shapes['Usage']; range: Range }) {
  const [name, setName] = useState<TimeName>('firstTokenMs')
  const total = usage.total.times[name]
  return (
    <section className="card card-body stack" aria-label="Response times">
      <header className="usage-bar">
        <div>
          <h2>Response times</h2>
          <p className="soft small">{TIMES[name].about}</p>
        </div>
        <Segments label="Time" value={name} onChange={setName} choices={CHOICES} />
      </header>
      <Totals name={name} total={total} />
      {total && <TimesChart usage={usage} range={range} name={name} />}
    </section>
  )
}

const CHOICES = TIME_NAMES.map((value) => ({ value, label: TIMES[value].scale.title }))

function Totals({ name, total }: { name: TimeName; total: Shapes['UsageTimes'][TimeName] }) {
  const { scale, badName } = TIMES[name]
  return (
    <dl className="time-totals">
      <div>
        <dt className="soft small">Median</dt>
        <dd className="tile-value numbers">{total ? scale.format(total.median) : '–'}</dd>
      </div>
      <div>
        <dt className="soft small">{badName}</dt>
        <dd className="tile-value numbers">{total ? scale.format(total.bad) : '–'}</dd>
      </div>
    </dl>
  )
}

function TimesChart({ usage, range, name }: { usage: Shapes['Usage']; range: Range; name: TimeName }) {
  const data = useMemo(() => timesChart(usage, range, name), [usage, range, name])
  const { scale } = TIMES[name]
  const unit = range.step === 'day' ? 'utc-day' : 'hour'
  return (
    <>
      <div className="chart chart-low">
        <Suspense fallback={<p className="soft">Loading chart…</p>}>
          <Chart data={data} unit={unit} tickUnit={range.unit} scale={scale} />
        </Suspense>
      </div>
      <details>
        <summary className="soft">Show as table</summary>
        <ChartTable data={data} unit={unit} scale={scale} />
      </details>
    </>
  )
}
