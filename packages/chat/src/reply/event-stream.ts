// Server-sent events to one client: what is ready at the same moment goes out in one write, a client that reads slowly pauses its job, and one
// that doesn't read at all is disconnected. A stream that is silent for long sends something, so that nobody gives up on it.

import { BEATS_PER_INTERVAL, type Beating, type Heartbeats } from './heartbeats.ts'
import type { Outlet } from './outlet.ts'
import type { JobHandle } from './reply.ts'
import { gather } from '../gather.ts'

export interface EventStreamOptions {
  outlet: Outlet
  heartbeats: Heartbeats
  /** A client that has not read for this long is disconnected. */
  stallMs: number
  /** Sent when the stream was silent for a while. */
  heartbeat: () => string
}

/** Keeps a device that ignores a pause from filling our memory. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024

export class EventStream implements Beating {
  readonly #options: EventStreamOptions
  /** Not only in the options, because every token needs it. */
  readonly #outlet: Outlet
  #handle: JobHandle | undefined
  #pending = ''
  #isPendingAscii = true
  #hasStarted = false
  #isPaused = false
  #quietBeats = 0
  #stall: NodeJS.Timeout | undefined

  constructor(options: EventStreamOptions) {
    this.#options = options
    this.#outlet = options.outlet
  }

  get hasStarted(): boolean {
    return this.#hasStarted
  }

  /** The job of this stream, which is paused while the client reads slowly. */
  attach(handle: JobHandle): void {
    this.#handle = handle
  }

  /** From now on the status is 200. */
  start(): void {
    this.#hasStarted = true
    this.#outlet.startStream()
    this.#options.heartbeats.add(this)
  }

  push(text: string, isAscii: boolean): void {
    this.#isPendingAscii &&= isAscii
    if (this.#pending === '') flushSoon(this)
    this.#pending += text
  }

  close(last: string, isAscii: boolean): void {
    const text = this.#pending + last
    const isAllAscii = this.#isPendingAscii && isAscii
    this.#pending = ''
    this.#release()
    this.#outlet.end(text, isAllAscii)
  }

  /** The client has left: write nothing more. */
  abandon(): void {
    this.#pending = ''
    this.#release()
  }

  flush(): void {
    if (this.#pending === '') return
    const text = this.#pending
    this.#pending = ''
    this.#quietBeats = 0
    const isAscii = this.#isPendingAscii
    this.#isPendingAscii = true
    if (this.#outlet.write(text, isAscii)) return
    this.#pause()
    if (this.#outlet.bufferedBytes > MAX_BUFFERED_BYTES || !this.#outlet.reserveUnread()) this.#giveUp()
  }

  beat(): void {
    if (++this.#quietBeats < BEATS_PER_INTERVAL || this.#isPaused) return
    this.#pending += this.#options.heartbeat()
    this.#isPendingAscii = false
    this.flush()
  }

  #release(): void {
    this.#options.heartbeats.delete(this)
    clearTimeout(this.#stall)
  }

  #pause(): void {
    if (this.#isPaused) return
    this.#isPaused = true
    this.#handle?.pause()
    this.#stall = setTimeout(() => this.#giveUp(), this.#options.stallMs)
    this.#outlet.onDrain(() => this.#resume())
  }

  #resume(): void {
    if (!this.#isPaused) return
    this.#isPaused = false
    clearTimeout(this.#stall)
    this.#handle?.resume()
  }

  #giveUp(): void {
    this.#handle?.cancel('client-stalled')
    this.abandon()
    this.#outlet.destroy()
  }
}

interface Flushable {
  flush(): void
}

/**
 * Sends tokens that arrive in the same tick in one write: replies with something to write are
 * collected and flushed together once the work of the current tick is done. Call once per reply and
 * tick.
 */
const flushSoon = gather<Flushable>(
  (takeAll) => queueMicrotask(takeAll),
  (reply) => reply.flush(),
)
