// The parts of a gateway: the jobs that came in there, the devices that are connected to it, and the slots that it leases. Alone, it leases those of
// every organization.

import { realClock } from '../time/clock.ts'
import { Home } from './devices/home.ts'
import { Hub, type HubOptions } from './devices/hub.ts'
import { Jobs, type JobsOptions } from './jobs/jobs.ts'
import { JOB_LIMITS, type JobLimits } from './jobs/limits.ts'
import type { Peers } from './peers/peers.ts'
import type { KnownBudgets } from './slots/core/budgets.ts'
import { LESSOR_LIMITS, type LessorLimits } from './slots/core/types.ts'
import { Desks } from './slots/desks.ts'
import type { Post, Start } from './terms/messages.ts'

export type FleetLimits = JobLimits & LessorLimits

export const FLEET_LIMITS: FleetLimits = { ...JOB_LIMITS, ...LESSOR_LIMITS }

type OfJobs = Pick<JobsOptions, 'onRecord' | 'whenRecorded' | 'watch'>
export interface RolesOptions extends HubOptions, OfJobs {
  limits: Partial<FleetLimits>
  tokenBudgets?: KnownBudgets | undefined
  /** A device of this gateway got a job of another one. */
  onForeignStart?: (front: string, start: Start) => void
}

export interface Roles {
  hub: Hub
  home: Home
  jobs: Jobs
  desks: Desks
}

export function openRoles(options: RolesOptions, peers: Peers, post: Post): Roles {
  const { clock = realClock, onRecord, whenRecorded, watch } = options
  const shared = { ...post, clock, limits: { ...FLEET_LIMITS, ...options.limits } }
  const home = new Home({
    ...shared,
    onStart: (front, start) => front !== peers.self && options.onForeignStart?.(front, start),
  })
  return {
    hub: new Hub({ ...options, clock }, home),
    home,
    jobs: new Jobs({ ...shared, onRecord, whenRecorded, watch }),
    desks: new Desks({ ...shared, peers, tokenBudgets: options.tokenBudgets }),
  }
}
