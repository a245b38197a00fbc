// A job as its front states it to an owner. Times are ages, because gateways have different clocks.

import type { AdoptedAttempt, AdoptedJob, AdoptedRun } from './core/attempts/adopt.ts'

export interface JobStatement extends Omit<AdoptedJob, 'submittedAt' | 'startedAt' | 'held'> {
  /** Grows with every statement of the job. Grants that are based on an earlier one are void. */
  edition: number
  ageMs: number
  startedMsAgo: number | undefined
  held: HeldStatement | undefined
}

export interface HeldStatement extends Omit<AdoptedAttempt, 'run'> {
  run: (Omit<AdoptedRun, 'acceptedAt'> & { acceptedMsAgo: number }) | undefined
}

export function toAdopted({ ageMs, startedMsAgo, held, ...job }: JobStatement, now: number): AdoptedJob {
  return {
    ...job,
    submittedAt: now - ageMs,
    startedAt: startedMsAgo === undefined ? undefined : now - startedMsAgo,
    held: held && { ...held, run: held.run && toAdoptedRun(held.run, now) },
  }
}

function toAdoptedRun({ acceptedMsAgo, ...run }: NonNullable<HeldStatement['run']>, now: number): AdoptedRun {
  return { ...run, acceptedAt: now - acceptedMsAgo }
}
