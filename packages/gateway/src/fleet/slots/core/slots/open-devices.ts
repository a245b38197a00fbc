// The devices of a lane that could take a job right now. Updated at every change, so that serving a busy lane costs the same with one
// device or a thousand.

import type { ServedModel } from '../state/state.ts'

/** Call this after every change of slots, leases, backoff or draining. */
export function updateOpen(served: ServedModel): void {
  const isOpen = served.leased < served.slots && !served.isBackingOff && !served.device.isDraining
  if (isOpen === served.openPlace >= 0) return
  if (isOpen) served.openPlace = served.lane.open.push(served) - 1
  else removeOpen(served)
}

function removeOpen(served: ServedModel): void {
  const { open } = served.lane
  const last = open.pop()!
  if (last !== served) {
    open[served.openPlace] = last
    last.openPlace = served.openPlace
  }
  served.openPlace = -1
}
