// A model on one device: whether it could take a job right now. `lane.open` is updated at every change, so that serving a busy lane costs the
// same with one device or a thousand.

import { noteFacts } from './choose-device.ts'
import type { Lanes } from './lanes.ts'
import type { Device, ServedModel } from './state.ts'

/** Call this after every change of the device or the model. */
export function updateOpen(served: ServedModel): void {
  const { device } = served
  const isOpen = served.leased < served.slots && !served.isBackingOff && !device.isDraining && !device.isAway
  const { open } = served.lane
  if (isOpen && served.openPlace < 0) open.add(served)
  if (!isOpen && served.openPlace >= 0) open.remove(served)
  if (isOpen) noteFacts(served)
}

export function updateDevice(device: Device, lanes: Lanes): void {
  for (const served of device.served.values()) {
    updateOpen(served)
    lanes.touch(served.lane)
  }
}
