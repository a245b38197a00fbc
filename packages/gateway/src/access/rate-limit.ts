// Limits of single keys: requests and tokens per minute, jobs at once. Kept in memory and per gateway. A key without limits never comes
// here.

import type { KeyLimits } from '../store/store.ts'
import { Bucket } from './bucket.ts'

export interface Refusal {
  limit: keyof KeyLimits
  /** After which the same request could be let in. */
  retryMs: number
}

interface KeyUse {
  requests: Bucket | undefined
  tokens: Bucket | undefined
  jobs: number
}

/** A job's slot comes free when it ends; nobody knows when, so a client is told to look again soon. */
const JOB_RETRY_MS = 1_000

export class RateLimiter {
  readonly #keys = new Map<string, KeyUse>()

  /** Counts a request of the key, or says why not. */
  request(key: string, limits: KeyLimits, now: number): Refusal | undefined {
    const { requests } = this.#use(key, limits, now)
    const retryMs = requests?.msUntil(1, now) ?? 0
    if (retryMs > 0) return { limit: 'requestsPerMinute', retryMs }
    requests?.take(1, now)
    return undefined
  }

  /** Counts a job expected to use `tokens`, or says why not. */
  startJob(key: string, limits: KeyLimits, tokens: number, now: number): Refusal | undefined {
    const use = this.#use(key, limits, now)
    if (use.jobs >= (limits.jobsAtOnce ?? Infinity)) return { limit: 'jobsAtOnce', retryMs: JOB_RETRY_MS }
    const retryMs = use.tokens?.msUntil(tokens, now) ?? 0
    if (retryMs > 0) return { limit: 'tokensPerMinute', retryMs }
    use.tokens?.take(tokens, now)
    use.jobs++
    return undefined
  }

  /** What was expected is replaced by what was used. */
  endJob(key: string, expected: number, used: number, now: number): void {
    const use = this.#keys.get(key)
    if (!use) return
    use.jobs--
    use.tokens?.take(used - expected, now)
  }

  forget(key: string): void {
    this.#keys.delete(key)
  }

  /** The reference's x-ratelimit headers, for those limits the key has. */
  headers(key: string, limits: KeyLimits, now: number): [name: string, value: string][] {
    const { requests, tokens } = this.#use(key, limits, now)
    return [...spell('requests', requests, now), ...spell('tokens', tokens, now)]
  }

  #use(key: string, { requestsPerMinute, tokensPerMinute }: KeyLimits, now: number): KeyUse {
    const known = this.#keys.get(key)
    if (known) return known
    const use: KeyUse = {
      requests: requestsPerMinute === undefined ? undefined : new Bucket(requestsPerMinute, now),
      tokens: tokensPerMinute === undefined ? undefined : new Bucket(tokensPerMinute, now),
      jobs: 0,
    }
    this.#keys.set(key, use)
    return use
  }
}

function spell(what: string, bucket: Bucket | undefined, now: number): [string, string][] {
  if (!bucket) return []
  return [
    [`x-ratelimit-limit-${what}`, String(bucket.capacity)],
    [`x-ratelimit-remaining-${what}`, String(Math.max(0, Math.floor(bucket.level(now))))],
    [`x-ratelimit-reset-${what}`, spellDuration(bucket.msUntil(bucket.capacity, now))],
  ]
}

/** As the reference writes it: `120ms`, `8.5s`, `1m0s`. */
export function spellDuration(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)}ms`
  if (ms < 60_000) return `${Math.ceil(ms / 100) / 10}s`
  const seconds = Math.ceil(ms / 1_000)
  return `${Math.floor(seconds / 60)}m${seconds % 60}s`
}
