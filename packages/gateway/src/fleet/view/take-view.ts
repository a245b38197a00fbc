// One gateway's part of an organization's view, from its links and, if it schedules the organization, its scheduler's numbers.

import type { Link } from '../home/link.ts'
import type { ViewPart } from '../terms/messages.ts'
import type { SchedulerStats } from '../scheduler/core/stats.ts'
import type { FleetDevice } from '../terms/fleet-view.ts'

export function takeView(links: readonly Link[], stats: SchedulerStats | undefined): ViewPart {
  return {
    devices: links.flatMap((link) => describeDevice(link) ?? []),
    queued: (stats?.queues ?? []).map(({ model, queued }) => [model, queued]),
    running: (stats?.served ?? []).map(({ device, model, leases }) => ({ device, model, leases })),
  }
}

function describeDevice(link: Link): { epoch: number; device: FleetDevice } | undefined {
  const { identity, epoch, state, address, report, conflict, latencyMs } = link
  if (state.name !== 'serving' && state.name !== 'draining') return undefined
  const { app, engine, models, machine } = state.hello
  const { downloads, backend, rest, library } = report
  const device = {
    id: identity.id,
    state: state.name === 'serving' ? ('linked' as const) : state.name,
    app,
    engine,
    // Which of them run is the scheduler's part.
    models: models.map((model) => ({ ...model, running: 0 })),
    downloads,
    backend,
    rest,
    library,
    machine,
    address,
    conflict,
    latencyMs,
  }
  return { epoch, device }
}
