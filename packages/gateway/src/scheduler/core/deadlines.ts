// What happens when time is up: a job that waited long enough, an offer without an answer, a silence, a stop that nobody confirmed.

import type { JobFlow } from './job-flow.ts'
import type { Job, Lease, Timed } from './state.ts'
import type { Ms, Outcome } from './types.ts'

export function meetDeadlines(flow: JobFlow, now: Ms): void {
  for (let due = flow.deadlines.first(); due !== undefined && due.rank <= now; due = flow.deadlines.first()) {
    flow.deadlines.remove(due)
    meet(flow, due, now)
  }
}

function meet(flow: JobFlow, due: Timed, now: Ms): void {
  if (due.kind === 'served') return flow.approach(due)
  if (due.kind === 'job') return flow.finish(due, waitOutcome(due, now), now)
  if (due.state === 'offered') return meetUnanswered(flow, due, now)
  if (due.state === 'closing') return flow.suspect(due)
  meetSilent(flow, due, now)
}

function meetUnanswered(flow: JobFlow, lease: Lease, now: Ms): void {
  const { job } = lease
  flow.stop(lease, 'timed-out', now)
  if (now >= Math.min(job.waitUntil, job.totalUntil)) return flow.finish(job, waitOutcome(job, now), now)
  flow.suspect(lease)
  flow.lose(lease, { kind: 'unanswered' }, now)
}

// Events only note their time and leave the deadline where it was: most of the time it turns out to be too early here.
function meetSilent(flow: JobFlow, lease: Lease, now: Ms): void {
  const isTotal = now >= lease.job.totalUntil
  if (!isTotal && now < flow.silentUntil(lease)) return flow.watch(lease)
  flow.stop(lease, 'timed-out', now)
  if (isTotal) return flow.finish(lease.job, { kind: 'timed-out', limit: 'total' }, now)
  flow.lose(lease, { kind: 'silent', limit: lease.nextSequence > 0 ? 'gap' : 'first-event' }, now)
}

function waitOutcome(job: Job, now: Ms): Outcome {
  return now >= job.totalUntil ? { kind: 'timed-out', limit: 'total' } : { kind: 'no-device' }
}
