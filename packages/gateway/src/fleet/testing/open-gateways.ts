// Several gateways in one process that act as one, over wires that the test can cut.

import type { FleetSetup } from '../../testing/fleet-world.ts'
import { fixedPeers } from '../peers/testing/fixed-peers.ts'
import type { Message } from '../peer-link/messages.ts'
import { SharedFleet, type SharedFleetOptions } from '../shared-fleet.ts'
import { MemoryNetwork } from './memory-wires.ts'

export interface SharedWorld {
  fleets: Promise<readonly SharedFleet[]>
  names: readonly string[]
  network: MemoryNetwork<Message>
  members: ReturnType<typeof fixedPeers>
}

export function openGateways(
  { waitMs, ...listeners }: FleetSetup,
  count: number,
  limits: SharedFleetOptions['limits'] = {},
): SharedWorld {
  const names = Array.from({ length: count }, (_, index) => `gateway-${index + 1}`)
  const network = new MemoryNetwork<Message>()
  const members = fixedPeers(names)
  const fleets = names.map(
    (name) =>
      new SharedFleet({
        peers: members.of(name),
        onAccess: async () => undefined,
        wires: network.join(name),
        pingIntervals: { busyMs: 5_000, idleMs: 15_000 },
        limits: { waitMs, ...limits },
        compareMs: 5,
        onModels: () => {},
        ...listeners,
      }),
  )
  return { fleets: Promise.resolve(fleets), names, network, members }
}

/** An organization that this gateway schedules. */
export function ownedBy({ members }: SharedWorld, owner: string): string {
  for (let index = 0; ; index++)
    if (members.of(owner).schedulerOf(`organization-${index}`) === owner) return `organization-${index}`
}
