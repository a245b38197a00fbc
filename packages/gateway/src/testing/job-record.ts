import type { JobRecord, Ticket } from '../fleet/fleet.ts'

export function aTicket(more: Partial<Ticket> = {}): Ticket {
  const asked = { features: [], rerunnable: false, cost: 1, promptSize: 5, prefixes: [] }
  return { job: 'j', organization: 'acme', key: 'k', model: 'm', ...asked, ...more }
}

/** Of a job that was answered at its first device. */
export function aRecord(more: Partial<JobRecord> = {}): JobRecord {
  return {
    ticket: aTicket(),
    outcome: { kind: 'ended' },
    device: 'd',
    tokens: { prompt: 2, completion: 3 },
    waitMs: 4,
    firstEventMs: 5,
    expectedMs: undefined,
    totalMs: 6,
    attempts: 1,
    takeOver: undefined,
    ...more,
  }
}
