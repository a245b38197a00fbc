// A key's limits hold over all gateways: each one tells the others what it counted, a few milliseconds later and many counts in one message.
// So a request never waits for another gateway, and a burst that hits several gateways in the same moment may exceed a limit by what came in
// that moment. Without the bus, each gateway enforces the limits for itself. Keys without limits cause no messages.

import { z } from 'zod'
import type { Bus } from '../../bus/bus.ts'
import { readMessage } from '../../bus/read-message.ts'
import { realClock, type Clock } from '../../time/clock.ts'
import type { KeyCount, RateLimiter } from './rate-limit.ts'

export interface SharedLimitsOptions {
  limiter: RateLimiter
  bus: Bus
  /** The id of this gateway. */
  self: string
  clock?: Clock
}

export const SUBJECT = 'hearth.limits'
const COLLECT_MS = 5
/** Running jobs are stated again and again, in case a message got lost or a gateway dies. */
const RESTATE_MS = 1_000
/** Far below the largest message of a bus. */
export const KEYS_PER_MESSAGE = 1_000

const perMinute = z.number().positive().exactOptional()
const schema = z.object({
  from: z.string().max(129),
  counts: z
    .array(
      z.object({
        key: z.string().max(64),
        limits: z.object({ requestsPerMinute: perMinute, tokensPerMinute: perMinute }),
        requests: z.number(),
        tokens: z.number(),
        jobs: z.int().nonnegative(),
      }),
    )
    .max(KEYS_PER_MESSAGE),
})

/** Returns a function that ends it. */
export function shareLimits(options: SharedLimitsOptions): () => void {
  const sharing = new SharedLimits(options)
  return () => sharing.close()
}

class SharedLimits {
  readonly #limiter: RateLimiter
  readonly #bus: Bus
  readonly #self: string
  readonly #clock: Clock
  readonly #unsubscribe: () => void
  #uses = new Map<string, { requests: number; tokens: number }>()
  #cancelFlush: (() => void) | undefined
  #cancelRestate = () => {}

  constructor({ limiter, bus, self, clock = realClock }: SharedLimitsOptions) {
    this.#limiter = limiter
    this.#bus = bus
    this.#self = self
    this.#clock = clock
    limiter.listen((key, requests, tokens) => this.#note(key, requests, tokens))
    this.#unsubscribe = bus.subscribe(SUBJECT, (payload) => this.#hear(payload))
    this.#restateLater()
  }

  close(): void {
    this.#limiter.listen(undefined)
    this.#unsubscribe()
    this.#cancelFlush?.()
    this.#cancelRestate()
  }

  #note(key: string, requests: number, tokens: number): void {
    const use = this.#uses.get(key)
    if (use) {
      use.requests += requests
      use.tokens += tokens
    } else this.#uses.set(key, { requests, tokens })
    this.#cancelFlush ??= this.#clock.after(COLLECT_MS, () => this.#flush())
  }

  #flush(): void {
    this.#cancelFlush = undefined
    const uses = this.#uses
    this.#uses = new Map()
    const counts = [...uses].flatMap(([key, use]) => {
      const about = this.#limiter.describe(key)
      return about ? { key, ...use, ...about } : []
    })
    for (let start = 0; start < counts.length; start += KEYS_PER_MESSAGE)
      this.#send(counts.slice(start, start + KEYS_PER_MESSAGE))
  }

  #send(counts: readonly KeyCount[]): void {
    if (this.#bus.isConnected) this.#bus.publish(SUBJECT, Buffer.from(JSON.stringify({ from: this.#self, counts })))
  }

  #hear(payload: Uint8Array): void {
    const message = readMessage(schema, payload)
    if (!message || message.from === this.#self) return
    const now = this.#clock.now()
    for (const count of message.counts) this.#limiter.addElsewhere(message.from, count, now)
  }

  #restateLater(): void {
    this.#cancelRestate = this.#clock.after(RESTATE_MS, () => {
      for (const key of this.#limiter.busyKeys()) this.#note(key, 0, 0)
      this.#restateLater()
    })
  }
}
