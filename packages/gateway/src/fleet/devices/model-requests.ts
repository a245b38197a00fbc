// Requests to devices about their models, until each is answered, its link is gone or its time is up.

import { randomUUID } from 'node:crypto'
import type { ModelReply } from '@hearth/protocol'
import type { DeviceLink } from './device-link.ts'
import type { ModelAnswer, ModelAsk } from '../terms/messages.ts'

interface Waiting {
  link: DeviceLink
  settle: (answer: ModelAnswer) => void
}

/** Looking up a model may take the device twenty seconds if the hub is slow. */
export const ANSWER_MS = 45_000
/** More at once is a flood: each person's requests come one after another. */
export const MAX_WAITING_PER_DEVICE = 64

export class ModelRequests {
  readonly #waiting = new Map<string, Waiting>()

  async ask(link: DeviceLink | undefined, ask: ModelAsk): Promise<ModelAnswer> {
    if (link === undefined) return { kind: 'gone' }
    if (link.report.library === undefined) return { kind: 'unsupported' }
    if (this.#countOf(link) >= MAX_WAITING_PER_DEVICE) return { kind: 'silent' }
    const request = randomUUID()
    const { promise, resolve } = Promise.withResolvers<ModelAnswer>()
    const timer = setTimeout(() => resolve({ kind: 'silent' }), ANSWER_MS).unref()
    this.#waiting.set(request, { link, settle: resolve })
    link.send({ ...ask, request })
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(request)
    })
  }

  /** A reply that nobody waits for, or that comes from another device, is dropped. */
  replied(link: DeviceLink, reply: ModelReply): void {
    const waiting = this.#waiting.get(reply.request)
    if (waiting?.link.identity.id === link.identity.id) waiting.settle({ kind: 'replied', reply })
  }

  linkGone(link: DeviceLink): void {
    for (const waiting of this.#waiting.values()) if (waiting.link === link) waiting.settle({ kind: 'gone' })
  }

  #countOf(link: DeviceLink): number {
    return [...this.#waiting.values()].filter((waiting) => waiting.link === link).length
  }
}
