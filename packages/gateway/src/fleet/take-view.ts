// One organization's view, from its links and the scheduler's numbers.

import type { Link } from './home/link.ts'
import type { SchedulerStats } from './scheduler/core/stats.ts'
import type { FleetDevice, FleetView } from './fleet.ts'

export function takeView(organization: string, links: readonly Link[], { served, queues }: SchedulerStats): FleetView {
  const isOwn = (of: { organization: string }) => of.organization === organization
  const running = new Map(served.filter(isOwn).map(({ device, model, leases }) => [`${device}\n${model}`, leases]))
  return {
    devices: links.flatMap((link) => describeDevice(link, running) ?? []),
    queued: new Map(queues.filter(isOwn).map(({ model, queued }) => [model, queued])),
  }
}

function describeDevice(
  { identity, state, address, downloads, backend, rest, library, conflict, latencyMs }: Link,
  running: ReadonlyMap<string, number>,
): FleetDevice | undefined {
  if (state.name !== 'serving' && state.name !== 'draining') return undefined
  const { app, engine, models, machine } = state.hello
  return {
    id: identity.id,
    state: state.name === 'serving' ? 'linked' : 'draining',
    app,
    engine,
    models: models.map((model) => ({ ...model, running: running.get(`${identity.id}\n${model.name}`) ?? 0 })),
    downloads,
    backend,
    rest,
    library,
    machine,
    address,
    conflict,
    latencyMs,
  }
}
