// How long a slot stays taken, and when a job that has one gets its first event.

import { hasDelivered, heldBy, type Job, type Lease, type Running, type ServedModel } from '../state/state.ts'
import type { Ms } from '../../../terms/job.ts'
import { leftOf } from '../state/pace.ts'

/** A device that has to stop does so within this time. */
const STOPPING_MS = 50

/** Until the device sends the first event of a job that it was offered; 0 if it has sent it. */
export function firstEventLeft(lease: Lease, now: Ms): Ms {
  const held = heldBy(lease)
  if (held?.name === 'running') return runLeft(held, now)
  return loadLeft(lease, now) + leftOf(readMs(lease), now - lease.takenAt)
}

function runLeft(run: Running, now: Ms): Ms {
  const { lease } = run
  if (hasDelivered(run)) return 0
  if (run.isLoading) return loadLeft(lease, now) + readMs(lease)
  return leftOf(readMs(lease), now - (run.hasLoaded ? run.acceptedAt : lease.takenAt))
}

function readMs({ served, uncached }: Lease): Ms {
  return served.pace.readMs(uncached)
}

function loadLeft({ served, takenAt }: Lease, now: Ms): Ms {
  return served.presence === 'loaded' ? 0 : loadingLeft(served, served.loadingSince ?? takenAt, now)
}

export function loadingLeft({ pace, loadMs }: ServedModel, since: Ms, now: Ms): Ms {
  return leftOf(pace.loadMs(loadMs), now - since)
}

/** Infinite for a slot whose device does not report. Of the answers that are possible, the one at `quantile` is assumed. */
export function slotLeft(lease: Lease, quantile: number, now: Ms): Ms {
  if (lease.state === 'suspect') return Number.POSITIVE_INFINITY
  if (lease.state !== 'held') return STOPPING_MS
  const held = heldBy(lease)
  const done = held?.name === 'running' ? held.deliveredTokens : 0
  return firstEventLeft(lease, now) + answerMs(lease, quantile, done)
}

function answerMs({ served, job }: Lease, quantile: number, done: number): Ms {
  return (drawAnswer(job, quantile, done) - done) * served.pace.msPerToken(served.slots)
}

/** How long the answer may become: of those that are possible after `done` tokens, the one at `quantile`. */
export function drawAnswer({ lane, ticket }: Job, quantile: number, done = 0): number {
  const usual = lane.habits.usualTokens(ticket.key)
  return lane.answers.draw(quantile, usual, done, ticket.answerLimit ?? Number.POSITIVE_INFINITY)
}
