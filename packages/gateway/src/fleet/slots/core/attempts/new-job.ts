import { NEW_COURSE, type Ms, type Ticket } from '../../../terms/job.ts'
import { toMask } from '../state/feature-mask.ts'
import { WAITING, type Job, type Lane } from '../state/state.ts'
import type { SchedulerLimits } from '../types.ts'

/** A device can only answer once it has the whole request, and some connections take this long for it: a megabit per second. */
const SLOW_LINK_BYTES_PER_MS = 128

export function newJob(
  ticket: Ticket,
  lane: Lane,
  order: number,
  now: Ms,
  { waitMs, patienceMs, hedgeMs }: SchedulerLimits,
  requestBytes: number,
): Job {
  return {
    kind: 'job',
    rank: 0,
    place: -1,
    order,
    ticket,
    features: toMask(ticket.features),
    sealedFor: ticket.sealedFor && new Set(ticket.sealedFor),
    lane,
    submittedAt: now,
    state: WAITING,
    waitUntil: now + waitMs,
    patientUntil: now + patienceMs,
    isImpatient: false,
    totalUntil: Number.POSITIVE_INFINITY,
    hedgeMs: hedgeMs + requestBytes / SLOW_LINK_BYTES_PER_MS,
    attempt: 0,
    course: NEW_COURSE,
    isModelClosed: false,
    hasShown: false,
    isRecordable: true,
    givenUp: [],
    forecast: undefined,
    avoided: undefined,
    excluded: undefined,
  }
}
