// A model on one device: whether it could take a job right now. The queue's lists are updated at every change, so that serving a busy queue costs
// the same with one device or a thousand.

import { noteFacts } from './choose-device.ts'
import type { ModelQueues } from './model-queues.ts'
import type { LinkedDevice, ServedModel } from './state.ts'

/** Call this after every change of the device or the model. */
export function updateOpen(served: ServedModel): void {
  const { device, queue, slots, leased, listedIn } = served
  const isUsable = slots > 0 && !served.isBackingOff && !device.isDraining && !device.isAway
  const list = isUsable ? (leased < slots ? queue.open : queue.busy) : undefined
  if (list !== listedIn) {
    listedIn?.remove(served)
    served.listedIn = list
  }
  if (list === undefined) return
  // What the next job there has to expect. Once all slots are taken, it is what the last of them was expected to take.
  if (list === queue.busy) return list.add(served)
  const msPerToken = served.pace.writing.msPerToken(leased)
  list.put(served, msPerToken)
  noteFacts(served, msPerToken)
}

export function updateDevice(device: LinkedDevice, queues: ModelQueues): void {
  for (const served of device.served.values()) {
    updateOpen(served)
    queues.touch(served.queue)
  }
}
