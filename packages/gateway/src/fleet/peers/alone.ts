// A gateway that has no peers: it schedules every organization, and nobody could take its place.

import { View } from './core/view.ts'
import type { Peers } from './peers.ts'

const SELF = 'this'

export function alone(): Peers {
  let epoch = 0
  return {
    self: SELF,
    view: new View({ generation: 1, rows: [{ id: SELF, number: 1, version: '', isIsolated: false }] }),
    maySchedule: () => true,
    onChange: () => () => undefined,
    // Epochs only have to grow while the gateway runs, because its links end with it.
    nextEpoch: async () => (epoch += 1),
    status: () => ({ hasLeadership: true, isSettled: true, isWithoutDatabase: false }),
    leave: async () => undefined,
  }
}
