// How long a slot stays taken, and when the job that has it gets its first event. A scheduler hears nothing of a job until its lease is settled, so
// it goes by the time that has passed and by what devices say about their models.

import type { Held, ModelQueue, ServedModel } from '../state.ts'
import type { Ms, Ticket } from '../../../terms/job.ts'
import { leftOf } from '../learned/pace.ts'

/** A device that has to stop does so within this time. */
const STOPPING_MS = 50

/** Until the device sends the first event of the job. */
export function firstEventLeft(held: Held, now: Ms): Ms {
  const { served, uncached, takenAt } = held
  const readMs = served.pace.reading.at(uncached)
  if (served.presence !== 'loaded') return loadingLeft(served, served.loadingSince ?? takenAt, now) + readMs
  return leftOf(readMs, now - readSince(held))
}

/** The device began to read the prompt then, as far as anyone can know. */
function readSince({ served, takenAt }: Held): Ms {
  return Math.max(takenAt, served.loadedAt)
}

export function loadingLeft({ pace, loadMs }: ServedModel, since: Ms, now: Ms): Ms {
  return leftOf(pace.loadMs(loadMs), now - since)
}

/** Infinite for a slot whose device does not report. Of the answers that are possible, the one at `quantile` is assumed. */
export function slotLeft(held: Held, quantile: number, now: Ms): Ms {
  const { served, uncached, ticket, state } = held
  if (state === 'suspect') return Number.POSITIVE_INFINITY
  if (state === 'stopping') return STOPPING_MS
  const { queue, pace } = served
  const msPerToken = pace.writing.msPerToken(Math.max(0, served.leased - 1))
  const spokenMs = served.presence === 'loaded' ? now - readSince(held) - pace.reading.at(uncached) : 0
  const done = Math.max(0, spokenMs / Math.max(1e-6, msPerToken))
  const answer = drawAnswer(queue, ticket, quantile, done)
  return (done > 0 ? 0 : firstEventLeft(held, now)) + (answer - done) * msPerToken
}

/** How long the answer may become: of those that are possible after `done` tokens, the one at `quantile`. */
export function drawAnswer(queue: ModelQueue, ticket: Ticket | undefined, quantile: number, done = 0): number {
  const usual = queue.habits.usualTokens(ticket?.key ?? '')
  return queue.answers.draw(quantile, usual, done, ticket?.answerLimit ?? Number.POSITIVE_INFINITY)
}
