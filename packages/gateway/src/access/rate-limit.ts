// Rate limits of a key: requests per minute, tokens per minute, jobs at once. Counted in memory, per gateway. Keys without limits never
// reach this code.

import type { KeyLimits } from '../store/store.ts'
import { Bucket } from './bucket.ts'

export interface Refusal {
  limit: keyof KeyLimits
  /** How long until the same request could be accepted. */
  retryMs: number
}

interface KeyUse {
  requests: Bucket | undefined
  tokens: Bucket | undefined
  jobs: number
}

/** Nobody knows when a running job will end, so clients are asked to retry soon. */
const JOB_RETRY_MS = 1_000

export class RateLimiter {
  readonly #keys = new Map<string, KeyUse>()

  /** Counts a request, or returns why it is rejected. */
  request(key: string, limits: KeyLimits, now: number): Refusal | undefined {
    const { requests } = this.#use(key, limits, now)
    const retryMs = requests?.msUntil(1, now) ?? 0
    if (retryMs > 0) return { limit: 'requestsPerMinute', retryMs }
    requests?.take(1, now)
    return undefined
  }

  /** Counts a job expected to use `tokens`, or returns why it is rejected. */
  startJob(key: string, limits: KeyLimits, tokens: number, now: number): Refusal | undefined {
    const use = this.#use(key, limits, now)
    if (use.jobs >= (limits.jobsAtOnce ?? Infinity)) return { limit: 'jobsAtOnce', retryMs: JOB_RETRY_MS }
    const retryMs = use.tokens?.msUntil(tokens, now) ?? 0
    if (retryMs > 0) return { limit: 'tokensPerMinute', retryMs }
    use.tokens?.take(tokens, now)
    use.jobs++
    return undefined
  }

  /** Replaces the expected tokens with those actually used. */
  endJob(key: string, expected: number, used: number, now: number): void {
    const use = this.#keys.get(key)
    if (!use) return
    // A key can get its limits while jobs of it are running: those were not counted.
    use.jobs = Math.max(0, use.jobs - 1)
    use.tokens?.take(used - expected, now)
  }

  forget(key: string): void {
    this.#keys.delete(key)
  }

  /** The reference API's x-ratelimit headers, for the limits this key has. */
  headers(key: string, limits: KeyLimits, now: number): [name: string, value: string][] {
    const { requests, tokens } = this.#use(key, limits, now)
    return [...formatBucket('requests', requests, now), ...formatBucket('tokens', tokens, now)]
  }

  #use(key: string, { requestsPerMinute, tokensPerMinute }: KeyLimits, now: number): KeyUse {
    let use = this.#keys.get(key)
    if (!use) this.#keys.set(key, (use = { requests: undefined, tokens: undefined, jobs: 0 }))
    // Limits can change at any time. A new limit starts with a full bucket.
    if (use.requests?.capacity !== requestsPerMinute) use.requests = bucketOf(requestsPerMinute, now)
    if (use.tokens?.capacity !== tokensPerMinute) use.tokens = bucketOf(tokensPerMinute, now)
    return use
  }
}

function bucketOf(perMinute: number | undefined, now: number): Bucket | undefined {
  return perMinute === undefined ? undefined : new Bucket(perMinute, now)
}

function formatBucket(unit: string, bucket: Bucket | undefined, now: number): [string, string][] {
  if (!bucket) return []
  return [
    [`x-ratelimit-limit-${unit}`, String(bucket.capacity)],
    [`x-ratelimit-remaining-${unit}`, String(Math.max(0, Math.floor(bucket.level(now))))],
    [`x-ratelimit-reset-${unit}`, formatDuration(bucket.msUntil(bucket.capacity, now))],
  ]
}

/** In the reference API's format: `120ms`, `8.5s`, `1m0s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)}ms`
  if (ms < 60_000) return `${Math.ceil(ms / 100) / 10}s`
  const seconds = Math.ceil(ms / 1_000)
  return `${Math.floor(seconds / 60)}m${seconds % 60}s`
}
