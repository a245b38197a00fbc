// Tells the client how its request got to a device. API keys show no names of devices, so the header has the id: members find it in the
// console, and others learn nothing from it.

import type { Placement } from './reply.ts'
import type { Outlet } from './outlet.ts'

export function addPlacement(outlet: Outlet, { device, waitMs, attempts }: Placement): void {
  outlet.header('x-hearth-queue-ms', String(Math.round(waitMs)))
  if (device !== undefined) outlet.header('x-hearth-device', device)
  outlet.header('x-hearth-attempts', String(attempts))
}
