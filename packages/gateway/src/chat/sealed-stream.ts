// The reply of a sealed job: server-sent events with boxes that only the client opens. Everything that follows the submission is an event, a
// failure too: a client that seals its requests formats errors itself.

import {
  EventStream,
  type Failed,
  type Heartbeats,
  type Reservation,
  type JobHandle,
  type Outlet,
  type Placement,
} from '@hearth/chat'
import type { SealedError, SealedEvent, SealedReply } from '../fleet/fleet.ts'

export interface SealedStreamOptions {
  outlet: Outlet
  heartbeats: Heartbeats
  /** A client that has not read for this long is disconnected. */
  stallMs: number
  /** Counts the boxes that are kept for another device. */
  reservation: Reservation
  /** Called once the job can't be run again: at the first event of a stream, and otherwise at the end. */
  releaseRequest: () => void
  isStream: boolean
}

const BASE64 = /^[\w+/=-]*$/
const COMMENT = ': \n\n'

export class SealedStream implements SealedReply {
  readonly #options: SealedStreamOptions
  readonly #stream: EventStream
  #isRequestNeeded = true

  constructor(options: SealedStreamOptions) {
    const { outlet, heartbeats, stallMs } = options
    this.#options = options
    this.#stream = new EventStream({ outlet, heartbeats, stallMs, heartbeat: () => COMMENT })
    this.#stream.start()
  }

  attach(handle: JobHandle): void {
    this.#stream.attach(handle)
  }

  placed({ device, waitMs, attempts }: Placement): void {
    this.#stream.push(line({ placed: { device, waitMs: Math.round(waitMs), attempts } }), false)
  }

  /** Written by hand, because every token writes one. */
  sealed({ attempt, sequence, box }: SealedEvent): void {
    if (this.#isRequestNeeded && this.#options.isStream) this.#releaseRequest()
    // A device may send any text as a box.
    const isPlain = BASE64.test(box)
    const quoted = isPlain ? `"${box}"` : JSON.stringify(box)
    this.#stream.push(`data: {"attempt":${attempt},"sequence":${sequence},"box":${quoted}}\n\n`, isPlain)
  }

  keep(bytes: number): boolean {
    return this.#options.reservation.resize(bytes) === undefined
  }

  restart(): void {
    this.#options.reservation.release()
    this.#stream.push(line({ restart: true }), true)
  }

  end({ attempt, sequence, box }: SealedEvent): void {
    this.#close(line({ end: { attempt, sequence, box } }))
  }

  fail(outcome: Failed, error: SealedError | undefined): void {
    this.#close(line({ fail: outcome, ...error }))
  }

  /** The client has left: write nothing more. */
  abandon(): void {
    this.#release()
    this.#stream.abandon()
  }

  #close(last: string): void {
    this.#release()
    this.#stream.close(last, false)
  }

  #release(): void {
    this.#options.reservation.close()
    this.#releaseRequest()
  }

  #releaseRequest(): void {
    this.#isRequestNeeded = false
    this.#options.releaseRequest()
  }
}

function line(event: object): string {
  return `data: ${JSON.stringify(event)}\n\n`
}
