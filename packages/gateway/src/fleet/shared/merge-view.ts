// One organization's view, from what each gateway knows of it.

import type { FleetDevice, FleetView } from '../fleet.ts'
import type { ViewPart } from './messages.ts'

type Part = ViewPart['devices'][number]

export function mergeView(parts: readonly ViewPart[]): FleetView {
  const running = new Map(
    parts.flatMap((part) => part.running.map(({ device, model, leases }) => [`${device}\n${model}`, leases])),
  )
  const newest = new Map<string, Part>()
  for (const device of parts.flatMap((part) => part.devices))
    if ((newest.get(device.id)?.epoch ?? 0) < device.epoch) newest.set(device.id, device)
  return {
    devices: [...newest.values()].map((device) => toDevice(device, running)),
    queued: new Map(parts.flatMap((part) => part.queued)),
  }
}

function toDevice({ epoch: _, ...device }: Part, running: ReadonlyMap<string, number>): FleetDevice {
  return {
    ...device,
    models: device.models.map((model) => ({ ...model, running: running.get(`${device.id}\n${model.name}`) ?? 0 })),
    // It may have come as text, from another gateway.
    conflict: device.conflict && { ...device.conflict, at: new Date(device.conflict.at) },
  }
}
