// Several gateways in one process that act as one, over real peer links. Where the bus is in memory, the test can cut links.

import { setTimeout as pass } from 'node:timers/promises'
import { openBudgets } from '../../budget/memory-budgets.ts'
import type { Bus } from '../../bus/bus.ts'
import { MemoryBus } from '../../bus/testing/memory-bus.ts'
import type { FleetSetup } from '../../testing/fleet-world.ts'
import { Watchers } from '../../testing/watchers.ts'
import { alone } from '../peers/alone.ts'
import { openPeerLinks, type PeerLinks } from '../peers/links/peer-links.ts'
import { fixedPeers } from '../peers/testing/fixed-peers.ts'
import { urgencyOf } from '../ports/urgency-of.ts'
import type { Message } from '../terms/messages.ts'
import { Fleet } from '../fleet.ts'

export interface SharedWorld {
  fleets: Promise<readonly Fleet[]>
  names: readonly string[]
  network: Network
  peers: ReturnType<typeof fixedPeers>
}

const OPEN_MS = 60_000
const LOOK_AGAIN_MS = 2

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

export function openGateways(setup: FleetSetup, count: number): SharedWorld {
  const names = Array.from({ length: count }, (_, index) => `gateway-${index + 1}`)
  const network = new Network()
  const peers = fixedPeers(names)
  return { fleets: openOver((name) => network.connect(name), setup, peers, names, network), names, network, peers }
}

/** Resolves when all links are up. */
export async function openOver(
  connect: (name: string) => Bus | Promise<Bus>,
  { waitMs, ...listeners }: FleetSetup,
  peers: ReturnType<typeof fixedPeers>,
  names: readonly string[],
  { links, dead } = new Network(),
  version = '1',
): Promise<Fleet[]> {
  const watchers = new Watchers()
  const onFault = (error: unknown) => {
    throw error
  }
  for (const self of names) {
    const own = openPeerLinks<Message>({ bus: await connect(self), self, version, urgencyOf, onFault })
    const listen = own.listen.bind(own)
    own.listen = (listener) =>
      listen({
        ...listener,
        message: (from, message) => dead.has(self) || listener.message(from, message),
        down: (peer, why) => dead.has(self) || listener.down(peer, why),
        up: (peer) => {
          listener.up(peer)
          watchers.look()
        },
      })
    links.push(own)
  }
  const options = { ...listeners, ...QUIET, limits: { waitMs } }
  const fleets = links.map((own) => new Fleet(options, peers.of(own.self), own))
  const isComplete = () => links.every((own) => names.every((name) => name === own.self || own.isUp(name)))
  await watchers.until('all links are up', isComplete, OPEN_MS)
  return fleets
}

/** A bus in memory and the links over it. Both sides notice at once when one is cut. */
class Network {
  readonly links: PeerLinks<Message>[] = []
  readonly dead = new Set<string>()
  /** Pairs of names. */
  #cut: (readonly string[])[] = []
  readonly #bus = new MemoryBus()

  constructor() {
    this.#bus.decide = (from, to) => ({ isLost: this.#cut.some((pair) => pair.includes(from) && pair.includes(to)) })
  }

  connect(name: string): Bus {
    return this.#bus.connect(name)
  }

  cut(...pair: readonly [string, string]): void {
    this.#cut.push(pair)
    for (const own of this.links) if (pair.includes(own.self)) for (const peer of pair) own.break(peer, 'cut')
  }

  mend(...pair: readonly [string, string]): void {
    this.#cut = this.#cut.filter((other) => !other.every((name) => pair.includes(name)))
  }

  /** The gateway hears and says nothing any more. */
  kill(name: string): void {
    this.dead.add(name)
    this.#bus.kill(name)
    for (const own of this.links) own.break(name, 'dead')
  }

  /** Resolves when nothing is on its way. */
  async quiet(): Promise<void> {
    while (this.links.some((own) => own.stats().links.backlogBytes > 0)) await pass(LOOK_AGAIN_MS)
  }
}

/** An organization that this gateway schedules. */
export function scheduledBy({ peers }: SharedWorld, scheduler: string): string {
  for (let index = 0; ; index++)
    if (peers.of(scheduler).view.schedulerOf(`organization-${index}`) === scheduler) return `organization-${index}`
}
