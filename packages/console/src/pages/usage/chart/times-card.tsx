import { useMemo, useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Segments } from '../../../parts/control/filter-bar.tsx'
import { DrawnChart } from './drawn-chart.tsx'
import { BAD_NAME, TIME_NAMES, TIMES, timesChart, type TimeName } from './times.ts'
import type { Range } from '../range.ts'

/** How long requests take: the middle one, and the worst twentieth. */
export function TimesCard({ usage, range }: { usage: Schemas['Usage']; range: Range }) {
  const [name, setName] = useState<TimeName>('firstTokenMs')
  const total = usage.total.times[name]
  const data = useMemo(() => timesChart(usage, range, name), [usage, range, name])
  const unit = range.step === 'day' ? 'utc-day' : 'hour'
  return (
    <section className="card card-body stack" aria-label="Response times">
      <header className="bar">
        <div>
          <h2>Response times</h2>
          <p className="text-soft text-small">{TIMES[name].about}</p>
        </div>
        <Segments label="Time" value={name} onChange={setName} choices={CHOICES} />
      </header>
      <dl className="flex gap-25">
        {[
          ['Median', total?.median],
          [BAD_NAME, total?.bad],
        ].map(([title, value]) => (
          <div key={title}>
            <dt className="text-soft text-small">{title}</dt>
            <dd className="tabular-nums text-[1.5rem] font-strong tracking-[-0.02em]">
              {typeof value === 'number' ? TIMES[name].scale.format(value) : '–'}
            </dd>
          </div>
        ))}
      </dl>
      {total && <DrawnChart isLow data={data} unit={unit} tickUnit={range.unit} scale={TIMES[name].scale} />}
    </section>
  )
}

const CHOICES = TIME_NAMES.map((value) => ({ value, label: TIMES[value].scale.title }))
