import { useMemo, useState } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { Segments } from '../../../parts/control/filter-bar.tsx'
import { DrawnChart } from './drawn-chart.tsx'
import { BAD_NAME, TIME_NAMES, TIMES, timesChart, type TimeName } from './times.ts'
import type { Range } from '../range.ts'

/** How long requests take: the middle one, and the worst twentieth. */
export function TimesCard({ usage, range }: { usage: Shapes['Usage']; range: Range }) {
  const [name, setName] = useState<TimeName>('firstTokenMs')
  const total = usage.total.times[name]
  return (
    <section className="card card-body stack" aria-label="Response times">
      <header className="bar">
        <div>
          <h2>Response times</h2>
          <p className="text-soft text-small">{TIMES[name].about}</p>
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
  const { scale } = TIMES[name]
  return (
    <dl className="flex gap-25">
      <div>
        <dt className="text-soft text-small">Median</dt>
        <dd className="tabular-nums text-[1.5rem] font-strong tracking-[-0.02em]">
          {total ? scale.format(total.median) : '–'}
        </dd>
      </div>
      <div>
        <dt className="text-soft text-small">{BAD_NAME}</dt>
        <dd className="tabular-nums text-[1.5rem] font-strong tracking-[-0.02em]">
          {total ? scale.format(total.bad) : '–'}
        </dd>
      </div>
    </dl>
  )
}

function TimesChart({ usage, range, name }: { usage: Shapes['Usage']; range: Range; name: TimeName }) {
  const data = useMemo(() => timesChart(usage, range, name), [usage, range, name])
  const unit = range.step === 'day' ? 'utc-day' : 'hour'
  return <DrawnChart isLow data={data} unit={unit} tickUnit={range.unit} scale={TIMES[name].scale} />
}
