// A model on one device: whether it could take a job right now. `queue.open` is updated at every change, so that serving a busy queue costs the
// same with one device or a thousand.

import { noteFacts } from './choose-device.ts'
import type { ModelQueues } from './model-queues.ts'
import type { LinkedDevice, ServedModel } from './state.ts'

/** Call this after every change of the device or the model. */
export function updateOpen(served: ServedModel): void {
  const { device } = served
  const isOpen = served.leased < served.slots && !served.isBackingOff && !device.isDraining && !device.isAway
  const { open } = served.queue
  if (isOpen && served.openPlace < 0) open.add(served)
  if (!isOpen && served.openPlace >= 0) open.remove(served)
  if (isOpen) noteFacts(served)
}

export function updateDevice(device: LinkedDevice, queues: ModelQueues): void {
  for (const served of device.served.values()) {
    updateOpen(served)
    queues.touch(served.queue)
  }
}
