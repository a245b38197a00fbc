// An organization's view: each gateway takes its part from its links and, if it schedules the organization, its scheduler's numbers; the one that
// is asked puts the parts together.

import type { DeviceLink } from '../devices/device-link.ts'
import type { ViewPart } from '../terms/messages.ts'
import type { SchedulerStats } from '../scheduler/core/stats.ts'
import type { FleetDevice, FleetView } from '../terms/fleet-view.ts'
import type { PeerQuestions } from './peer-questions.ts'

type DevicePart = ViewPart['devices'][number]

/** Of what devices said, in memory: reading a message with less takes a few milliseconds, and those behind it don't wait long. */
export const PAGE_BYTES = 1024 * 1024

/** The devices with higher ids than `after`, as many as one message should have. Load is a part of the first page. */
export function takePage(links: readonly DeviceLink[], stats: SchedulerStats | undefined, after: string): ViewPart {
  const rest = links.filter(({ identity }) => identity.id > after).toSorted(byId)
  let bytes = 0
  const last = rest.findIndex(({ reportedBytes }) => (bytes += reportedBytes) > PAGE_BYTES)
  const page = last === -1 ? rest : rest.slice(0, last + 1)
  const next = page.length < rest.length ? page.at(-1)?.identity.id : undefined
  return { ...takeView(page, after === '' ? stats : undefined), ...(next !== undefined && { next }) }
}

function byId(one: DeviceLink, other: DeviceLink): number {
  return one.identity.id < other.identity.id ? -1 : 1
}

export function takeView(links: readonly DeviceLink[], stats: SchedulerStats | undefined): ViewPart {
  return {
    devices: links.flatMap((link) => describeDevice(link) ?? []),
    queued: (stats?.queues ?? []).map(({ model, queued }) => [model, queued]),
    running: (stats?.served ?? []).map(({ device, model, leases }) => ({ device, model, leases })),
  }
}

function describeDevice(link: DeviceLink): DevicePart | undefined {
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

/** Asks another gateway for its part, a page at a time: all of it in one message would hold up the jobs of everyone else. */
export async function askView(
  questions: PeerQuestions,
  peer: string,
  organization: string,
  after = '',
): Promise<ViewPart[]> {
  const [answer] = await questions.ask([peer], { kind: 'view', organization, after })
  if (answer === undefined) return []
  const { view } = answer
  return view.next === undefined ? [view] : [view, ...(await askView(questions, peer, organization, view.next))]
}

export function mergeView(parts: readonly ViewPart[]): FleetView {
  const running = new Map(
    parts.flatMap((part) => part.running.map(({ device, model, leases }) => [`${device}\n${model}`, leases])),
  )
  const newest = new Map<string, DevicePart>()
  for (const part of parts.flatMap(({ devices }) => devices))
    if ((newest.get(part.device.id)?.epoch ?? 0) < part.epoch) newest.set(part.device.id, part)
  return {
    devices: [...newest.values()].map(({ device }) => withLoad(device, running)),
    queued: new Map(parts.flatMap((part) => part.queued)),
  }
}

function withLoad(device: FleetDevice, running: ReadonlyMap<string, number>): FleetDevice {
  return {
    ...device,
    models: device.models.map((model) => ({ ...model, running: running.get(`${device.id}\n${model.name}`) ?? 0 })),
    // The time may be text, if it came from another gateway.
    conflict: device.conflict && { ...device.conflict, at: new Date(device.conflict.at) },
  }
}
