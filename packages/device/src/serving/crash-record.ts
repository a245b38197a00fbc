// Remembers the requests that ran when an engine died, by a hash of each. Several run at once, so only one that was there several times is taken
// for the cause and blocked. No request is blocked for good: the reason may be gone later.

import type { ChatJob } from '@hearth/protocol'
import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { EngineEnd } from '../engines/engine.ts'
import { availableMemory } from '@hearth/command-line/machine/available-memory'

const BLOCKED_AFTER = 3
const KEPT = 100
const BLOCKED_MS = 60 * 60_000
/** A GPU's memory can't be asked from here, so such a request gets another chance soon, even if nothing seems to have changed. */
const BLOCKED_FOR_MEMORY_MS = 5 * 60_000

/** Less than this is only noise. */
const MORE_MEMORY = { factor: 1.1, bytes: 256 * 2 ** 20 }

/** The blocked requests of a model. */
export interface Blocked {
  requests: number
  /** How the engine died on the latest of them. */
  why: string
  /** When the last of them is accepted again, in milliseconds on the clock. */
  untilMs: number
}

interface Crashes {
  count: number
  why: string
  untilMs: number
  /** Memory that programs could still take when the engine was gone, if it died for lack of memory. */
  availableBytes?: number
}

export class CrashRecord {
  readonly #clock: Pick<Clock, 'now'>
  readonly #available: () => number
  /** The latest last. */
  readonly #crashes = new Map<string, Crashes>()

  constructor(clock: Pick<Clock, 'now'>, available: () => number = () => availableMemory().available) {
    this.#clock = clock
    this.#available = available
  }

  /** To be called when the engine is gone. Returns whether one of its jobs is blocked from now on. */
  note({ cause, why, jobs }: EngineEnd): boolean {
    // Whoever ends the process from outside doesn't care what it computes.
    if (cause === 'killed' || jobs.length === 0) return false
    this.#forgetExpired()
    const reason =
      cause === 'memory'
        ? { why, untilMs: this.#clock.now() + BLOCKED_FOR_MEMORY_MS, availableBytes: this.#available() }
        : { why, untilMs: this.#clock.now() + BLOCKED_MS }
    return new Set(jobs.map(hash)).values().reduce((isBlocked, key) => this.#add(key, reason) || isBlocked, false)
  }

  #add(key: string, reason: Omit<Crashes, 'count'>): boolean {
    const count = (this.#crashes.get(key)?.count ?? 0) + 1
    this.#crashes.delete(key)
    this.#crashes.set(key, { count, ...reason })
    const [oldest] = this.#crashes.keys()
    if (this.#crashes.size > KEPT && oldest !== undefined) this.#crashes.delete(oldest)
    return count >= BLOCKED_AFTER
  }

  isBlocked(job: ChatJob): boolean {
    if (this.#crashes.size === 0) return false
    this.#forgetOld()
    return (this.#crashes.get(hash(job))?.count ?? 0) >= BLOCKED_AFTER
  }

  /** Undefined if there are none. */
  get blocked(): Blocked | undefined {
    this.#forgetOld()
    const all = [...this.#crashes.values()].filter(({ count }) => count >= BLOCKED_AFTER)
    const latest = all.at(-1)
    if (latest === undefined) return undefined
    return { requests: all.length, why: latest.why, untilMs: Math.max(...all.map(({ untilMs }) => untilMs)) }
  }

  clear(): void {
    this.#crashes.clear()
  }

  #forgetOld(): void {
    this.#forgetExpired()
    const short = [...this.#crashes].filter(([, { availableBytes }]) => availableBytes !== undefined)
    if (short.length === 0) return
    const available = this.#available()
    for (const [key, { availableBytes }] of short) if (isMore(available, availableBytes)) this.#crashes.delete(key)
  }

  #forgetExpired(): void {
    const now = this.#clock.now()
    for (const [key, { untilMs }] of this.#crashes) if (untilMs <= now) this.#crashes.delete(key)
  }
}

function isMore(available: number, before = Number.POSITIVE_INFINITY): boolean {
  return available > Math.max(before * MORE_MEMORY.factor, before + MORE_MEMORY.bytes)
}

/** A request that is continued is still the same one. */
function hash(job: ChatJob): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...job, recovery: undefined }))
    .digest('base64')
}
