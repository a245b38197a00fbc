import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import type { Shapes } from '../../api/client.ts'
import { usage as usageQuery } from '../../api/queries.ts'
import { formatCount, formatShort } from '../../lib/format.ts'
import { Meter } from '../../parts/meter.tsx'
import { Sparkline } from '../../parts/sparkline.tsx'
import { useSession } from '../../session/session.ts'

const HOURS = 24
const HOUR_MS = 3_600_000

/** The current state of the organization in numbers. */
export function Numbers({ overview: { devices, models, load } }: { overview: Shapes['Overview'] }) {
  return (
    <section className="numbers-grid" aria-label="Right now">
      <NumberCard title="Devices" to="/devices" value={formatCount(devices.linked)} of={`of ${devices.total} online`}>
        <Meter label="Devices online" value={devices.linked} most={devices.total} />
      </NumberCard>
      <NumberCard title="Models" to="/models" value={formatCount(models.served)} of={`of ${models.enabled} served`}>
        <Meter label="Enabled models with a device" value={models.served} most={models.enabled} />
      </NumberCard>
      <NumberCard
        title="Slots in use"
        to="/devices"
        value={formatCount(load.running)}
        of={`of ${load.slots}${load.queued > 0 ? `, ${load.queued} waiting` : ''}`}
      >
        <Meter label="Slots in use" value={load.running} most={load.slots} />
      </NumberCard>
      <LastDay />
    </section>
  )
}

function LastDay() {
  const { organization } = useSession()
  const [range] = useState(lastDay)
  const { data } = useQuery(usageQuery(organization.id, { ...range, by: 'model', step: 'hour' }))
  const requests = data?.total.requests ?? 0
  return (
    <NumberCard title="Requests, last 24 hours" to="/usage" value={data ? formatShort(requests) : '–'} of="">
      <Sparkline values={byHour(data?.points ?? [], range.from)} label={`${requests} requests in the last 24 hours`} />
    </NumberCard>
  )
}

// Whole hours, so that the query stays the same within an hour and can be cached.
function lastDay() {
  const to = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS
  return { from: new Date(to - HOURS * HOUR_MS).toISOString(), to: new Date(to).toISOString() }
}

function byHour(points: Shapes['Usage']['points'], from: string): number[] {
  const sums = Array.from({ length: HOURS }, () => 0)
  for (const { at, requests } of points) {
    const hour = Math.floor((new Date(at).getTime() - new Date(from).getTime()) / HOUR_MS)
    if (hour >= 0 && hour < HOURS) sums[hour]! += requests
  }
  return sums
}

interface NumberCardProps {
  title: string
  to: '/devices' | '/models' | '/usage'
  value: string
  of: string
  children: ReactNode
}

function NumberCard({ title, to, value, of, children }: NumberCardProps) {
  return (
    <Link to={to} className="card number-card">
      <span className="soft small">{title}</span>
      <span className="row number-line">
        <span className="number-value numbers">{value}</span>
        <span className="soft numbers">{of}</span>
      </span>
      {children}
    </Link>
  )
}
