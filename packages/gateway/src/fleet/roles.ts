// The three roles of a gateway: front of the requests that came in here, home of the devices that are connected here, scheduler of some
// organizations. Alone, it schedules all of them.

import type { DeviceModel } from '@hearth/protocol'
import type { Full, ByteBudget } from '@hearth/chat'
import type { DeviceBudgets } from '../budget/memory-budgets.ts'
import { realClock, type Clock } from '../time/clock.ts'
import { Front } from './jobs/front.ts'
import type { JobRecord } from './jobs/job-record.ts'
import type { DefaultsSource } from './devices/defaults-sender.ts'
import type { PingIntervals } from './devices/link-world.ts'
import { Home } from './devices/home.ts'
import { Hub, type Presence } from './devices/hub.ts'
import type { DeviceIdentity } from './devices/link.ts'
import type { Conflict } from './terms/fleet-view.ts'
import type { Peers } from './peers/peers.ts'
import type { Post } from './post/post.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from './slots/core/types.ts'
import { Scheduler } from './slots/scheduler.ts'

export interface RolesOptions {
  peers: Peers
  post: Post
  pingIntervals: PingIntervals
  /** For what devices say about themselves. */
  budgets: DeviceBudgets
  limits: Partial<SchedulerLimits>
  defaults: DefaultsSource
  /** For copies of models between devices. */
  relayBudget?: ByteBudget
  onRecord: (record: JobRecord) => void
  onPresence: (device: DeviceIdentity, presence: Presence) => void
  onConflict: (device: DeviceIdentity, conflict: Conflict) => void
  onFull?: (device: DeviceIdentity, full: Full) => void
  /** Called when a device connects or its models change. */
  onModels: (device: DeviceIdentity, models: readonly DeviceModel[]) => void
  clock?: Clock
}

export interface Roles {
  hub: Hub
  home: Home
  front: Front
  scheduler: Scheduler
}

/** A scheduler hears at most this often that a device still works on a job. */
const SIGN_MS = 1_000
/** A scheduler hears often enough that it never gives up on a device that is alive. */
const SIGNS_PER_LIMIT = 4

export function openRoles(options: RolesOptions): Roles {
  const { peers, post, clock = realClock, pingIntervals: intervals, onRecord } = options
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const signMs = Math.min(SIGN_MS, limits.gapMs / SIGNS_PER_LIMIT, limits.firstEventMs / SIGNS_PER_LIMIT)
  const shared = {
    now: () => clock.now(),
    send: post.send.bind(post),
    isReachable: post.isReachable.bind(post),
    schedulerOf: (organization: string) => peers.schedulerOf(organization),
  }
  const hub = new Hub({ ...options, intervals, clock })
  return {
    hub,
    home: new Home({ ...shared, hub }),
    front: new Front({ ...shared, waitMs: limits.waitMs, signMs, onRecord }),
    scheduler: new Scheduler({ ...shared, peers, clock, limits: withDelay(limits, signMs) }),
  }
}

/** A scheduler may hear up to `signMs` late that a device is alive. */
function withDelay(limits: SchedulerLimits, signMs: number): SchedulerLimits {
  return { ...limits, gapMs: limits.gapMs + signMs, firstEventMs: limits.firstEventMs + signMs }
}
