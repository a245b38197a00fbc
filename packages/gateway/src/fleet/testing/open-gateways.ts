// Several gateways in one process that act as one, over links that the test can cut.

import { openBudgets } from '../../budget/memory-budgets.ts'
import type { FleetSetup } from '../../testing/fleet-world.ts'
import { alone } from '../peers/alone.ts'
import { fixedPeers } from '../peers/testing/fixed-peers.ts'
import type { Message } from '../terms/messages.ts'
import { Fleet, type FleetOptions } from '../fleet.ts'
import { MemoryNetwork } from './memory-peer-links.ts'

export interface SharedWorld {
  fleets: Promise<readonly Fleet[]>
  names: readonly string[]
  network: MemoryNetwork<Message>
  peers: ReturnType<typeof fixedPeers>
}

export const QUIET = {
  pingIntervals: { busyMs: 5_000, idleMs: 15_000 },
  compareMs: 5,
  budgets: openBudgets({ totalBytes: undefined, heapLimitBytes: 2 ** 32, maxBodyBytes: 1 }),
  onModels: () => {},
}

/** One without peers. */
export async function openLone({ waitMs, ...listeners }: FleetSetup): Promise<Fleet[]> {
  return [new Fleet({ ...listeners, ...QUIET, limits: { waitMs } }, alone())]
}

export function openGateways(
  { waitMs, ...listeners }: FleetSetup,
  count: number,
  limits: FleetOptions['limits'] = {},
): SharedWorld {
  const names = Array.from({ length: count }, (_, index) => `gateway-${index + 1}`)
  const network = new MemoryNetwork<Message>()
  const peers = fixedPeers(names)
  const options = { ...listeners, ...QUIET, limits: { waitMs, ...limits } }
  const fleets = names.map((name) => new Fleet(options, peers.of(name), network.join(name)))
  return { fleets: Promise.resolve(fleets), names, network, peers }
}

/** An organization that this gateway schedules. */
export function scheduledBy({ peers }: SharedWorld, scheduler: string): string {
  for (let index = 0; ; index++)
    if (peers.of(scheduler).view.schedulerOf(`organization-${index}`) === scheduler) return `organization-${index}`
}
