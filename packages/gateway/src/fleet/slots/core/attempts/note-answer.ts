import type { Ms } from '../../../terms/job.ts'
import type { Running } from '../state/state.ts'

/** Forecasts learn from every answer, even from those that broke off: they predict how long slots are taken. */
export function noteAnswer({ lease, firstEventAt, deliveredTokens: tokens }: Running, now: Ms): void {
  if (firstEventAt === undefined) return
  const { job, served } = lease
  const { lane, ticket } = job
  lane.habits.add(ticket, tokens, now)
  lane.answers.add(tokens, lane.habits.usualTokens(ticket.key))
  // The slot of this one was released before.
  served.pace.hasAnswered(tokens, now - firstEventAt, served.device.leases.length + 1)
}
