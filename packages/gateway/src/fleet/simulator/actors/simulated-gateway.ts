// A gateway in the simulated world: the real fleet with its roles. It is alone, or has real links to peers.

import type { CoreOptions, PeersCore } from '../../peers/core/peers-core.ts'
import { Fleet, type DeviceSocket, type JobRecord } from '../../fleet.ts'
import type { DeviceLink } from '../../devices/device-link.ts'
import type { Message } from '../../terms/messages.ts'
import type { PeerLinks } from '../../peers/links/peer-links.ts'
import type { Peers } from '../../peers/peers.ts'
import { openRoles, type FleetLimits, type Roles } from '../../roles.ts'
import type { KnownBudgets } from '../../scheduler/core/budgets.ts'
import type { Scheduler } from '../../scheduler/core/scheduler.ts'
import { openBudgets } from '../../../budget/memory-budgets.ts'
import type { BusClient } from '../service/bus-client.ts'
import type { Database } from '../service/database.ts'
import type { Member } from '../service/service.ts'
import type { Process } from '../service/process.ts'

/** Something broken, from a test. */
export interface Fault {
  database?: () => Database
  core?: (options: CoreOptions) => PeersCore
  peers?: (peers: Peers) => Peers
  links?: (links: PeerLinks<Message>, gateway: Gateway) => PeerLinks<Message>
  roles?: (roles: Roles) => void
  scheduler?: (scheduler: Scheduler) => void
  limits?: Partial<FleetLimits>
  budgets?: (known: KnownBudgets) => KnownBudgets
}

interface Surroundings {
  readonly fault: Fault
  readonly limits: FleetLimits
  readonly month: KnownBudgets
  readonly alive: readonly Gateway[]
  /** The gateway's roles, before anything happens to them. */
  watch(roles: Roles): void
  recorded(record: JobRecord): void
}

/** To its peers, if it has some. */
interface Wires {
  bus: BusClient
  links: PeerLinks<Message>
}

export class Gateway implements Member {
  readonly name: string
  readonly world: Surroundings
  readonly process: Process
  readonly peers: Peers
  readonly fleet: Fleet
  readonly bus: BusClient | undefined
  isLeaving = false
  readonly #isAlone: boolean
  #roles: Roles | undefined
  #epochs = 0

  constructor(world: Surroundings, name: string, process: Process, peers: Peers, wires?: Wires) {
    const { fault, limits, month } = world
    this.name = name
    this.world = world
    this.process = process
    this.peers = fault.peers?.(peers) ?? peers
    this.bus = wires?.bus
    const own = wires && (fault.links?.(wires.links, this) ?? wires.links)
    this.#isAlone = own === undefined
    const options = {
      limits: { ...limits, ...fault.limits },
      tokenBudgets: fault.budgets?.(month) ?? month,
      compareMs: 1_000_000,
      clock: process.clock,
      budgets: openBudgets({ totalBytes: undefined, heapLimitBytes: 2 ** 32, maxBodyBytes: 1 }),
      pingIntervals: wires ? { busyMs: 1_000, idleMs: 3_000 } : { busyMs: 5_000, idleMs: 15_000 },
      defaults: { defaultsOf: () => undefined, templatedModels: () => [] },
      onRecord: (record: JobRecord) => world.recorded(record),
      onPresence: () => {},
      onConflict: () => {},
      onModels: () => {},
    }
    this.fleet = new Fleet(options, this.peers, own, (...of) => {
      this.#roles = openRoles(...of)
      breakRoles(this.#roles, fault)
      world.watch(this.#roles)
      return this.#roles
    })
  }

  get roles(): Roles {
    return this.#roles!
  }

  maySchedule(organization: string): boolean {
    return this.peers.maySchedule(organization)
  }

  /** Calls `open` once the gateway can take a link of the device: without peers, at once. */
  accept(
    device: { id: string; organization: string; name: string },
    open: (accept: Accept) => void,
    fail: () => void,
  ): void {
    const { registry } = this.roles.hub
    if (this.#isAlone) return open((socket) => registry.accept(device, (this.#epochs += 1), socket))
    this.process.live(() => {
      this.peers.nextEpoch().then((epoch) => open((socket) => registry.accept(device, epoch, socket)), fail)
    })
  }
}

export type Accept = (socket: DeviceSocket) => DeviceLink

function breakRoles(roles: Roles, fault: Fault): void {
  const { schedulers } = roles
  if (fault.scheduler) {
    const create = schedulers.createScheduler.bind(schedulers)
    schedulers.createScheduler = () => {
      const scheduler = create()
      fault.scheduler?.(scheduler)
      return scheduler
    }
  }
  fault.roles?.(roles)
}
