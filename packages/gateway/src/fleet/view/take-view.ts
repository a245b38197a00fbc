// One gateway's part of an organization's view, from its links and, if it schedules the organization, its scheduler's numbers.

import type { DeviceLink } from '../devices/device-link.ts'
import type { ViewPart } from '../terms/messages.ts'
import type { LessorStats } from '../slots/core/stats.ts'
import type { FleetDevice } from '../terms/fleet-view.ts'

/** Of what devices said, in memory: reading a message with less takes a few milliseconds, and those behind it don't wait long. */
export const PAGE_BYTES = 1024 * 1024

/** The devices with higher ids than `after`, as many as one message should have. Load is a part of the first page. */
export function takePage(links: readonly DeviceLink[], stats: LessorStats | undefined, after: string): ViewPart {
  const rest = links.filter(({ identity }) => identity.id > after).toSorted(byId)
  let bytes = 0
  const last = rest.findIndex(({ statedBytes }) => (bytes += statedBytes) > PAGE_BYTES)
  const page = last === -1 ? rest : rest.slice(0, last + 1)
  const next = page.length < rest.length ? page.at(-1)?.identity.id : undefined
  return { ...takeView(page, after === '' ? stats : undefined), ...(next !== undefined && { next }) }
}

function byId(one: DeviceLink, other: DeviceLink): number {
  return one.identity.id < other.identity.id ? -1 : 1
}

export function takeView(links: readonly DeviceLink[], stats: LessorStats | undefined): ViewPart {
  return {
    devices: links.flatMap((link) => describeDevice(link) ?? []),
    queued: (stats?.queues ?? []).map(({ model, queued }) => [model, queued]),
    running: (stats?.served ?? []).map(({ device, model, leases }) => ({ device, model, leases })),
  }
}

function describeDevice(link: DeviceLink): { epoch: number; device: FleetDevice } | undefined {
  const { identity, epoch, state, address, report, conflict, latencyMs } = link
  if (state.name !== 'serving' && state.name !== 'draining') return undefined
  const { app, engine, models, machine, sealKey } = state.hello
  const { shared: _shared, ...reported } = report
  const device = {
    id: identity.id,
    state: state.name === 'serving' ? ('linked' as const) : state.name,
    app,
    engine,
    // Which of them run is the scheduler's part.
    models: models.map((model) => ({ ...model, running: 0 })),
    ...reported,
    machine,
    sealKey,
    address,
    conflict,
    latencyMs,
  }
  return { epoch, device }
}
