// Whether a running job may leave its device because the owner wants the machine back.

import { hasSuccessor } from '../choice/choose-device.ts'
import { begunBy } from '../choice/continuation.ts'
import { hasDelivered, type Running } from '../state/state.ts'
import type { SchedulerLimits } from '../types.ts'

/** Another device can continue at once, and nothing that was computed is lost. */
export function canLeave(run: Running, limits: SchedulerLimits): boolean {
  const { job, device } = run.lease
  const begun = begunBy(run)
  const hasBegun = job.course.begun !== undefined || hasDelivered(run)
  if (job.isModelClosed || (hasBegun && begun === undefined)) return false
  // Leaving counts as a loss, so that two devices can't pass a job back and forth forever. It never costs the last attempt.
  const isProgress = begun !== undefined && hasDelivered(run)
  return (isProgress || job.course.losses + 1 < limits.attempts) && hasSuccessor(job, begun, device)
}
