// Remembers the attempts of the last minutes, so that a job-start that arrives twice never runs twice.

import type { JobAttempt } from '@hearth/protocol'

const REMEMBER_COUNT = 1_024
const REMEMBER_MS = 10 * 60_000

export interface RecentAttempts {
  add(attempt: JobAttempt): void
  has(attempt: JobAttempt): boolean
}

export function attemptKey({ job, attempt }: JobAttempt): string {
  return `${attempt} ${job}`
}

export function createRecentAttempts(now: () => number): RecentAttempts {
  /** Oldest first: a Map keeps insertion order. */
  const seenAt = new Map<string, number>()
  return {
    add(attempt) {
      seenAt.set(attemptKey(attempt), now())
      for (const [key, at] of seenAt) {
        if (seenAt.size <= REMEMBER_COUNT && now() - at < REMEMBER_MS) break
        seenAt.delete(key)
      }
    },
    has: (attempt) => seenAt.has(attemptKey(attempt)),
  }
}
