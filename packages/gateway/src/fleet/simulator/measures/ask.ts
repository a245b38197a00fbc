import type { Ask, Ticket } from '../../terms/job.ts'

/** What a new job asks for. It waits as long as it takes. */
export function ask(ticket: Ticket): Ask {
  const kept = { begun: undefined, mustContinue: false, avoided: undefined, excluded: undefined }
  return { ticket, want: 'slot', isFirst: true, ageMs: 0, waitMs: 1e12, ...kept }
}
