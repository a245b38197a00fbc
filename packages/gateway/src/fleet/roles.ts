// The roles of a gateway: the jobs that came in there, the devices that are connected to it, and the organizations whose slots
// it leases. Alone, it leases those of every organization.

import { realClock } from '../time/clock.ts'
import { DeviceHub } from './devices/device-hub.ts'
import type { LinkRegistryOptions } from './devices/link-registry.ts'
import { Jobs, type JobsOptions } from './jobs/jobs.ts'
import { JOB_LIMITS, type JobLimits } from './jobs/limits.ts'
import type { Peers } from './peers/peers.ts'
import type { Gateways } from './ports/gateways.ts'
import type { KnownBudgets } from './scheduler/core/budgets.ts'
import { SCHEDULER_LIMITS, type SchedulerLimits } from './scheduler/core/types.ts'
import { Schedulers, type SchedulersOptions } from './scheduler/schedulers.ts'
import type { Start } from './terms/messages.ts'

export type FleetLimits = JobLimits & SchedulerLimits

export const FLEET_LIMITS: FleetLimits = { ...JOB_LIMITS, ...SCHEDULER_LIMITS }

type OfJobs = Pick<JobsOptions, 'onRecord' | 'whenRecorded' | 'watch'>
export interface RolesOptions extends LinkRegistryOptions, OfJobs, Pick<SchedulersOptions, 'onServed'> {
  limits: Partial<FleetLimits>
  tokenBudgets?: KnownBudgets | undefined
  /** A device of this gateway got a job of another one. */
  onForeignStart?: (front: string, start: Start) => void
}

export interface Roles {
  jobs: Jobs
  schedulers: Schedulers
  hub: DeviceHub
}

export function openRoles(options: RolesOptions, peers: Peers, gateways: Gateways): Roles {
  const { clock = realClock, onRecord, whenRecorded, watch, tokenBudgets } = options
  const shared = { gateways, clock, limits: { ...FLEET_LIMITS, ...options.limits } }
  const onStart = (front: string, start: Start) => front !== peers.self && options.onForeignStart?.(front, start)
  return {
    jobs: new Jobs({ ...shared, onRecord, whenRecorded, watch }),
    schedulers: new Schedulers({ ...shared, peers, tokenBudgets, onServed: options.onServed }),
    hub: new DeviceHub({ ...options, ...shared, onStart }),
  }
}
