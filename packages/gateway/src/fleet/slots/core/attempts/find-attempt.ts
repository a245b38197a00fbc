// Finds the attempt that a report is about. A report from another device, link or attempt is late and finds nothing.

import { stateOf, type Held, type Job, type Lease } from '../state/state.ts'
import type { Reporter } from '../../../terms/job.ts'

/** The job's state as the reporting device sees it; undefined if the device doesn't hold the job, or no longer does. */
export function findHeld(job: Job | undefined, from: Reporter): Held | undefined {
  const state = job?.state
  if (state?.name !== 'running' && state?.name !== 'offered') return undefined
  if (isAbout(state.lease, from)) return state
  if (state.name === 'running' || state.rival === undefined) return undefined
  return isAbout(state.rival, from) ? stateOf(state.rival) : undefined
}

export function findGivenUp(job: Job | undefined, from: Reporter): Lease | undefined {
  return job?.givenUp.find((lease) => isAbout(lease, from))
}

function isAbout(lease: Lease, from: Reporter): boolean {
  return lease.attempt === from.attempt && lease.epoch === from.epoch && lease.device === from.device
}
