// One organization's view, from what each gateway knows of it.

import type { ViewPart } from '../terms/messages.ts'
import type { FleetDevice, FleetView } from '../terms/fleet-view.ts'

type Part = ViewPart['devices'][number]

export function mergeView(parts: readonly ViewPart[]): FleetView {
  const running = new Map(
    parts.flatMap((part) => part.running.map(({ device, model, leases }) => [`${device}\n${model}`, leases])),
  )
  const newest = new Map<string, Part>()
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
