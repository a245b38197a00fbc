// Jobs of a scripted device until they can run: some come in parts, and sealed ones have to be opened first.

import {
  isSealed,
  parseJobRequest,
  type CancelReason,
  type ChatJob,
  type GatewayFrame,
  type JobAttempt,
  type JobRequest,
  type JobStart,
  type SealedRequest,
} from '@hearth/protocol'
import type { FrameSealer } from '@hearth/sealing/testing/sealing-device'
import { openSealedRequest, type Opener } from './sealed-wire.ts'

export interface ArrivalListener {
  /** `sealer` if the request was sealed. */
  run(start: JobStart, request: ChatJob, sealer?: FrameSealer): void
  /** It was canceled before it could run. `run` has been called. */
  cancel(attempt: JobAttempt, reason: CancelReason): void
  cannotOpen(attempt: JobAttempt, message: string): void
}

export class JobArrivals {
  readonly #listener: ArrivalListener
  readonly #opener: (() => Promise<Opener>) | undefined
  readonly #parts = new Map<string, { start: JobStart; texts: string[] }>()
  /** Those that are being opened, with the reason if they were canceled meanwhile. */
  readonly #opening = new Map<string, CancelReason | undefined>()

  constructor(opener: (() => Promise<Opener>) | undefined, listener: ArrivalListener) {
    this.#opener = opener
    this.#listener = listener
  }

  start(start: JobStart): void {
    if (start.request !== undefined) return this.#take(start, start.request)
    this.#parts.set(nameOf(start), { start, texts: [] })
  }

  takePart(part: Extract<GatewayFrame, { type: 'job-part' }>): void {
    const arriving = this.#parts.get(nameOf(part))
    if (arriving === undefined) return
    arriving.texts[part.index] = part.text
    if (Object.keys(arriving.texts).length < (arriving.start.parts ?? 0)) return
    this.#parts.delete(nameOf(part))
    this.#take(arriving.start, parseJobRequest(arriving.texts.join('')))
  }

  cancel(attempt: JobAttempt, reason: CancelReason): void {
    if (this.#opening.has(nameOf(attempt))) this.#opening.set(nameOf(attempt), reason)
  }

  #take(start: JobStart, request: JobRequest): void {
    if (!isSealed(request)) return this.#listener.run(start, request)
    if (this.#opener) void this.#open(start, request, this.#opener)
  }

  async #open(start: JobStart, sealed: SealedRequest, opener: () => Promise<Opener>): Promise<void> {
    const name = nameOf(start)
    this.#opening.set(name, undefined)
    try {
      const { request, sealer } = await openSealedRequest(start, sealed, await opener())
      this.#listener.run(start, request, sealer)
      const reason = this.#opening.get(name)
      if (reason !== undefined) this.#listener.cancel(start, reason)
    } catch (error) {
      this.#listener.cannotOpen(start, error instanceof Error ? error.message : String(error))
    } finally {
      this.#opening.delete(name)
    }
  }
}

export function nameOf({ job, attempt }: JobAttempt): string {
  return `${job}/${attempt}`
}
