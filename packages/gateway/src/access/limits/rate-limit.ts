// Rate limits of a key: requests per minute, tokens per minute, jobs at once. Counted in memory; several gateways tell each other what they
// counted (shared-limits.ts). Keys without limits never reach this code.

import { forgetOldest } from '../../forget-oldest.ts'
import type { RateLimits } from '../../store/revisions/access-rows.ts'
import { Bucket } from './bucket.ts'

export interface Rejection {
  limit: keyof RateLimits
  /** How long until the same request could be accepted. */
  retryMs: number
}

interface KeyUse {
  requests: Bucket | undefined
  tokens: Bucket | undefined
  jobs: number
  /** Jobs at other gateways, and when they last said so. */
  elsewhere: Map<string, { jobs: number; at: number }> | undefined
}

/** A gateway's count for a key: requests and tokens since its last report, and the jobs that run now. */
export interface KeyCount {
  key: string
  limits: Pick<RateLimits, 'requestsPerMinute' | 'tokensPerMinute'>
  requests: number
  tokens: number
  jobs: number
}

type UseListener = (key: string, requests: number, tokens: number) => void

/** Jobs of a gateway that has not been heard for this long are over, or will be soon. */
const ELSEWHERE_MS = 3_000

/** Keys with limits, as other gateways name them. Every key that exists has room; beyond it, somebody makes them up. */
export const MOST_KEYS = 200_000
const MOST_GATEWAYS = 64

/** Nobody knows when a running job will end, so clients are asked to retry soon. */
const JOB_RETRY_MS = 1_000

export class RateLimiter {
  readonly #keys = new Map<string, KeyUse>()
  #onUse: UseListener | undefined

  /** Calls the listener whenever something is counted here. */
  listen(listener: UseListener | undefined): void {
    this.#onUse = listener
  }

  /** Counts what another gateway has counted. */
  addElsewhere(gateway: string, { key, limits, requests, tokens, jobs }: KeyCount, now: number): void {
    if (!this.#keys.has(key) && this.#keys.size >= MOST_KEYS) return
    const use = this.#keys.get(key) ?? this.#use(key, limits, now)
    use.requests?.take(requests, now)
    use.tokens?.take(tokens, now)
    use.elsewhere ??= new Map()
    if (jobs > 0) use.elsewhere.set(gateway, { jobs, at: now })
    else use.elsewhere.delete(gateway)
    forgetOldest(use.elsewhere, MOST_GATEWAYS)
  }

  /** Undefined if the key is unknown here. */
  describe(key: string): Pick<KeyCount, 'limits' | 'jobs'> | undefined {
    const use = this.#keys.get(key)
    if (!use) return undefined
    const limits = {
      ...(use.requests && { requestsPerMinute: use.requests.capacity }),
      ...(use.tokens && { tokensPerMinute: use.tokens.capacity }),
    }
    return { limits, jobs: use.jobs }
  }

  /** Keys with jobs at this gateway. */
  busyKeys(): string[] {
    return [...this.#keys].filter(([, { jobs }]) => jobs > 0).map(([key]) => key)
  }

  /** Counts a request, or returns why it is rejected. */
  request(key: string, limits: RateLimits, now: number): Rejection | undefined {
    const { requests } = this.#use(key, limits, now)
    const retryMs = requests?.msUntil(1, now) ?? 0
    if (retryMs > 0) return { limit: 'requestsPerMinute', retryMs }
    requests?.take(1, now)
    this.#onUse?.(key, 1, 0)
    return undefined
  }

  /** Counts a job expected to use `tokens`, or returns why it is rejected. */
  startJob(key: string, limits: RateLimits, tokens: number, now: number): Rejection | undefined {
    const use = this.#use(key, limits, now)
    if (use.jobs + jobsElsewhere(use, now) >= (limits.jobsAtOnce ?? Infinity))
      return { limit: 'jobsAtOnce', retryMs: JOB_RETRY_MS }
    const retryMs = use.tokens?.msUntil(tokens, now) ?? 0
    if (retryMs > 0) return { limit: 'tokensPerMinute', retryMs }
    use.tokens?.take(tokens, now)
    use.jobs++
    this.#onUse?.(key, 0, tokens)
    return undefined
  }

  /** Replaces the expected tokens with those actually used. */
  endJob(key: string, expected: number, used: number, now: number): void {
    const use = this.#keys.get(key)
    if (!use) return
    // A key can get its limits while jobs of it are running: those were not counted.
    use.jobs = Math.max(0, use.jobs - 1)
    use.tokens?.take(used - expected, now)
    this.#onUse?.(key, 0, used - expected)
  }

  forget(key: string): void {
    this.#keys.delete(key)
  }

  /** The reference API's x-ratelimit headers, for the limits this key has. */
  headers(key: string, limits: RateLimits, now: number): [name: string, value: string][] {
    const { requests, tokens } = this.#use(key, limits, now)
    return [...formatBucket('requests', requests, now), ...formatBucket('tokens', tokens, now)]
  }

  #use(key: string, { requestsPerMinute, tokensPerMinute }: RateLimits, now: number): KeyUse {
    let use = this.#keys.get(key)
    if (!use) this.#keys.set(key, (use = { requests: undefined, tokens: undefined, jobs: 0, elsewhere: undefined }))
    // Limits can change at any time. A new limit starts with a full bucket.
    if (use.requests?.capacity !== requestsPerMinute) use.requests = bucketOf(requestsPerMinute, now)
    if (use.tokens?.capacity !== tokensPerMinute) use.tokens = bucketOf(tokensPerMinute, now)
    return use
  }
}

function jobsElsewhere({ elsewhere }: KeyUse, now: number): number {
  let sum = 0
  for (const { jobs, at } of elsewhere?.values() ?? []) if (now - at < ELSEWHERE_MS) sum += jobs
  return sum
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
