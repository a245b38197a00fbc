// Requests to one device about its models, until each is answered, the link is gone or its time is up.

import { randomUUID } from 'node:crypto'
import type { ModelReply } from '@hearth/protocol'
import type { ModelAnswer } from '../terms/messages.ts'

/** Looking up a model may take the device twenty seconds if the model hub is slow. */
export const DEVICE_ANSWER_MS = 45_000
/** More at once is a flood: each person's requests come one after another. */
export const MAX_WAITING_PER_DEVICE = 64

export class ModelRequests {
  readonly #waiting = new Map<string, (answer: ModelAnswer) => void>()

  async ask(send: (request: string) => void): Promise<ModelAnswer> {
    if (this.#waiting.size >= MAX_WAITING_PER_DEVICE) return { kind: 'silent' }
    const request = randomUUID()
    const { promise, resolve } = Promise.withResolvers<ModelAnswer>()
    const timer = setTimeout(() => resolve({ kind: 'silent' }), DEVICE_ANSWER_MS).unref()
    this.#waiting.set(request, resolve)
    send(request)
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(request)
    })
  }

  /** A reply that nobody waits for is dropped. */
  replied(reply: ModelReply): void {
    this.#waiting.get(reply.request)?.({ kind: 'replied', reply })
  }

  linkGone(): void {
    for (const settle of this.#waiting.values()) settle({ kind: 'gone' })
  }
}
