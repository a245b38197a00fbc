// Events → chunks → server-sent events. The first event decides the status: before it nothing has been sent, so a failure is an HTTP error.
// After it, a failure is the stream's last event, a bare error object without [DONE].

import type { FinishReason, TokenLogprob, ToolCall, UrlCitation, Usage } from '@hearth/protocol'
import { errorBody, type ApiError } from '../errors.ts'
import type { Failed } from '../outcome.ts'
import type { JobHandle, Placement, Reply } from './reply.ts'
import { Chunks, DONE, escapeBreaks } from './chunks.ts'
import { addPlacement } from './placement-headers.ts'
import { sendError } from './send-error.ts'
import { flushSoon } from './flush-soon.ts'
import { BEATS_PER_INTERVAL, type Beating, type Heartbeats } from './heartbeats.ts'
import { outcomeError } from './outcome-error.ts'
import type { Outlet } from './outlet.ts'
import type { ReplyShape } from '../prepare-chat.ts'

export interface StreamReplyOptions {
  id: string
  created: number
  shape: ReplyShape
  outlet: Outlet
  heartbeats: Heartbeats
  /** Called at the first event: a stream that has begun is never run again. */
  releaseRequest: () => void
  /** A client that has not read for this long is disconnected. */
  stallMs: number
}

/** Keeps a device that ignores a pause from filling our memory. */
const MAX_BUFFERED_BYTES = 8 * 1024 * 1024

export class StreamReply implements Reply, Beating {
  readonly #options: StreamReplyOptions
  readonly #chunks: Chunks
  readonly #choices: number
  /** Not only in the options, because every token needs it. */
  readonly #outlet: Outlet
  /** First halves of characters by choice, once a device has split one. */
  #halves: string[] | undefined
  #handle: JobHandle | undefined
  #pending = ''
  #isPendingAscii = true
  #hasStarted = false
  #isPaused = false
  #quietBeats = 0
  #stall: NodeJS.Timeout | undefined

  constructor(options: StreamReplyOptions) {
    const { id, created, shape } = options
    this.#options = options
    this.#choices = shape.choices
    this.#outlet = options.outlet
    this.#chunks = new Chunks({
      id,
      created,
      model: shape.model,
      includeUsage: shape.includeUsage,
      mirrorsFunctions: shape.mirrorsFunctions,
    })
  }

  /** The job of this reply, which is paused while the client reads slowly. */
  attach(handle: JobHandle): void {
    this.#handle = handle
  }

  placed(placement: Placement): void {
    addPlacement(this.#outlet, placement)
  }

  text(choice: number, text: string, logprobs: readonly TokenLogprob[] | undefined): void {
    const whole = this.#wholeCharacters(choice, text)
    if (whole === '' && !logprobs) return
    if (!logprobs && this.#chunks.isAscii(whole)) this.#push(this.#chunks.asciiText(choice, whole), true)
    else this.#push(this.#chunks.text(choice, whole, logprobs), false)
  }

  toolCalls(choice: number, calls: readonly ToolCall[]): void {
    this.#push(this.#chunks.toolCalls(choice, calls), false)
  }

  annotations(choice: number, annotations: readonly UrlCitation[]): void {
    this.#push(this.#chunks.annotations(choice, annotations), false)
  }

  restart(): void {
    throw new Error('Cannot restart a stream: its first event has been delivered')
  }

  end(finishes: readonly FinishReason[], usage: Usage | undefined): void {
    this.#start()
    this.#halves?.forEach((half, choice) => {
      if (half === '') return
      this.#pending += this.#chunks.text(choice, half, undefined)
      this.#isPendingAscii = false
    })
    finishes.forEach((reason, choice) => (this.#pending += this.#chunks.finish(choice, reason)))
    if (this.#options.shape.includeUsage && usage) this.#pending += this.#chunks.usage(usage)
    this.#close(DONE, this.#isPendingAscii && this.#chunks.isAscii(''))
  }

  fail(outcome: Failed): void {
    const { shape } = this.#options
    this.reject(outcomeError(outcome, shape.model, shape.demands))
  }

  /** The same, for an error that is not the outcome of a job. */
  reject(error: ApiError): void {
    if (!this.#hasStarted) return sendError(this.#outlet, error)
    this.#close(`data: ${escapeBreaks(errorBody(error))}\n\n`, false)
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
    if (this.#outlet.bufferedBytes > MAX_BUFFERED_BYTES || !this.#outlet.holdUnread()) this.#giveUp()
  }

  beat(): void {
    if (++this.#quietBeats < BEATS_PER_INTERVAL || this.#isPaused) return
    this.#pending += this.#chunks.text(0, '', undefined)
    this.#isPendingAscii = false
    this.flush()
  }

  #push(chunk: string, isAscii: boolean): void {
    this.#start()
    this.#isPendingAscii &&= isAscii
    if (this.#pending === '') flushSoon(this)
    this.#pending += chunk
  }

  #start(): void {
    if (this.#hasStarted) return
    this.#hasStarted = true
    const { heartbeats, releaseRequest } = this.#options
    releaseRequest()
    this.#outlet.startStream()
    heartbeats.add(this)
    for (let choice = 0; choice < this.#choices; choice++) this.#pending += this.#chunks.role(choice)
    flushSoon(this)
  }

  #close(last: string, isAscii: boolean): void {
    const text = this.#pending + last
    this.#pending = ''
    this.#release()
    this.#outlet.end(text, isAscii)
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

  // A device may split a surrogate pair between two deltas; the first half waits for the second.
  #wholeCharacters(choice: number, text: string): string {
    if (this.#halves === undefined && !endsInHalf(text)) return text
    this.#halves ??= Array.from({ length: this.#choices }, () => '')
    const joined = this.#halves[choice] + text
    const isHalf = endsInHalf(joined)
    this.#halves[choice] = isHalf ? joined.slice(-1) : ''
    return isHalf ? joined.slice(0, -1) : joined
  }
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}
