// Events → chunks → server-sent events. The first event decides the status: before it nothing has been sent, so a failure is an HTTP error.
// After it, a failure is the stream's last event, a bare error object without [DONE].

import type { FinishReason, TokenLogprob, ToolCall, UrlCitation, Usage } from '@hearth/protocol'
import { errorBody, type ApiError } from '../errors.ts'
import type { Failed } from '../outcome.ts'
import type { JobHandle, Placement, Reply } from './reply.ts'
import { Chunks, DONE, escapeBreaks } from './chunks.ts'
import { EventStream } from './event-stream.ts'
import type { Heartbeats } from './heartbeats.ts'
import { outcomeError } from './outcome-error.ts'
import { addPlacement, sendError, type Outlet } from './outlet.ts'
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

export class StreamReply implements Reply {
  readonly #options: StreamReplyOptions
  readonly #chunks: Chunks
  readonly #choices: number
  readonly #stream: EventStream
  /** First halves of characters by choice, once a device has split one. */
  #halves: string[] | undefined

  constructor(options: StreamReplyOptions) {
    const { id, created, shape, outlet, heartbeats, stallMs } = options
    this.#options = options
    this.#choices = shape.choices
    this.#chunks = new Chunks({
      id,
      created,
      model: shape.model,
      includeUsage: shape.includeUsage,
      mirrorsFunctions: shape.mirrorsFunctions,
    })
    // Comments would be cheaper, but several real clients break on them.
    this.#stream = new EventStream({
      outlet,
      heartbeats,
      stallMs,
      heartbeat: () => this.#chunks.text(0, '', undefined),
    })
  }

  /** The job of this reply, which is paused while the client reads slowly. */
  attach(handle: JobHandle): void {
    this.#stream.attach(handle)
  }

  placed(placement: Placement): void {
    addPlacement(this.#options.outlet, placement)
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
      if (half !== '') this.#stream.push(this.#chunks.text(choice, half, undefined), false)
    })
    let last = finishes.map((reason, choice) => this.#chunks.finish(choice, reason)).join('')
    if (this.#options.shape.includeUsage && usage) last += this.#chunks.usage(usage)
    this.#stream.close(last + DONE, this.#chunks.isAscii(''))
  }

  fail(outcome: Failed): void {
    const { shape } = this.#options
    this.reject(outcomeError(outcome, shape.model, shape.demands))
  }

  /** The same, for an error that is not the outcome of a job. */
  reject(error: ApiError): void {
    if (!this.#stream.hasStarted) return sendError(this.#options.outlet, error)
    this.#stream.close(`data: ${escapeBreaks(errorBody(error))}\n\n`, false)
  }

  /** The client has left: write nothing more. */
  abandon(): void {
    this.#stream.abandon()
  }

  #push(chunk: string, isAscii: boolean): void {
    this.#start()
    this.#stream.push(chunk, isAscii)
  }

  #start(): void {
    if (this.#stream.hasStarted) return
    this.#options.releaseRequest()
    this.#stream.start()
    const isAscii = this.#chunks.isAscii('')
    for (let choice = 0; choice < this.#choices; choice++) this.#stream.push(this.#chunks.role(choice), isAscii)
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
