// Puts a fleet together: the jobs that came in at this gateway, the devices that are connected to it, the slots that it leases (alone, those of
// every organization), and the post between them.

import type { DeviceModel } from '@hearth/protocol'
import type { Full, ByteBudget } from '@hearth/chat'
import type { DeviceBudgets } from '../budget/memory-budgets.ts'
import { realClock, type Clock } from '../time/clock.ts'
import type { DefaultsSource } from './devices/defaults-sender.ts'
import type { PingIntervals } from './devices/link-world.ts'
import { Home } from './devices/home.ts'
import { Hub, type Presence } from './devices/hub.ts'
import type { DeviceIdentity } from './devices/link.ts'
import { Fleet } from './fleet.ts'
import type { JobRecord } from './jobs/job-record.ts'
import { Jobs } from './jobs/jobs.ts'
import { JOB_LIMITS, type JobLimits } from './jobs/limits.ts'
import type { PeerLinks } from './peers/links/peer-links.ts'
import type { Peers } from './peers/peers.ts'
import { Post } from './post/post.ts'
import { LESSOR_LIMITS, type LessorLimits } from './slots/core/types.ts'
import { Desks } from './slots/desks.ts'
import type { Conflict } from './terms/fleet-view.ts'
import type { Message } from './terms/messages.ts'

export type FleetLimits = JobLimits & LessorLimits

export const FLEET_LIMITS: FleetLimits = { ...JOB_LIMITS, ...LESSOR_LIMITS }

export interface CreateFleetOptions {
  pingIntervals: PingIntervals
  /** For what devices say about themselves. */
  budgets: DeviceBudgets
  limits: Partial<FleetLimits>
  defaults: DefaultsSource
  /** For copies of models between devices. */
  relayBudget?: ByteBudget
  onRecord: (record: JobRecord) => void
  onPresence: (device: DeviceIdentity, presence: Presence) => void
  onConflict: (device: DeviceIdentity, conflict: Conflict) => void
  onFull?: (device: DeviceIdentity, full: Full) => void
  /** Called when a device connects or its models change. */
  onModels: (device: DeviceIdentity, models: readonly DeviceModel[]) => void
  /** How often load is compared to find out whether a view has changed. */
  compareMs: number
  clock?: Clock
}

export interface Roles {
  hub: Hub
  home: Home
  jobs: Jobs
  desks: Desks
}

/** Without links, the gateway has no peers. */
export function createFleet(options: CreateFleetOptions, peers: Peers, links?: PeerLinks<Message>): Fleet {
  const post = new Post(peers.self, links)
  return new Fleet({ ...options, peers, links, post, roles: openRoles(options, peers, post) })
}

export function openRoles(options: CreateFleetOptions, peers: Peers, post: Post): Roles {
  const { clock = realClock, pingIntervals: intervals, onRecord } = options
  const limits = { ...FLEET_LIMITS, ...options.limits }
  const shared = {
    clock,
    limits,
    send: post.send.bind(post),
    isReachable: post.isReachable.bind(post),
    lessorOf: (organization: string) => peers.schedulerOf(organization),
  }
  const hub = new Hub({ ...options, intervals, clock })
  return {
    hub,
    home: new Home({ ...shared, hub }),
    jobs: new Jobs({ ...shared, onRecord }),
    desks: new Desks({ ...shared, peers }),
  }
}
