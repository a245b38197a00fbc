// Collects the events of a job and replies once, when it has ended.

import type { FinishReason, TokenLogprob, ToolCall, UrlCitation, Usage } from '@hearth/protocol'
import type { Full, Reservation } from '../budget/byte-budget.ts'
import type { Failed } from '../outcome.ts'
import type { JobHandle, Placement, Reply } from './reply.ts'
import type { ApiError } from '../errors.ts'
import { isAscii } from './chunks.ts'
import { serializeHead, serializeUsage } from './completion-shape.ts'
import { outcomeError } from './outcome-error.ts'
import { addPlacement, sendError, type Outlet } from './outlet.ts'
import type { ReplyShape } from '../prepare-chat.ts'
import { WholeChoice } from './whole-choice.ts'

export interface WholeReplyOptions {
  id: string
  created: number
  shape: ReplyShape
  outlet: Outlet
  /** Counts the memory of what was collected. */
  reservation: Reservation
  /** Called when the job is over: until then it may be run again. */
  releaseRequest: () => void
}

const BYTES_PER_CHARACTER = 2

export class WholeReply implements Reply {
  readonly #options: WholeReplyOptions
  #choices: WholeChoice[]
  #callIds: Set<string> | undefined
  #size = 0
  /** Everything so far is. Most replies in English are, and their size is known without counting. */
  #isAscii: boolean
  #handle: JobHandle | undefined
  /** Set if there was no room before the job had a handle. */
  #full: Full | undefined

  constructor(options: WholeReplyOptions) {
    this.#options = options
    this.#choices = emptyChoices(options.shape)
    this.#isAscii = isAscii(options.shape.model)
  }

  /** The job of this reply, which ends if there is no memory for the reply. */
  attach(handle: JobHandle): void {
    this.#handle = handle
    if (this.#full) handle.giveUp(this.#full)
  }

  placed(placement: Placement): void {
    addPlacement(this.#options.outlet, placement)
  }

  text(choice: number, text: string, logprobs: readonly TokenLogprob[] | undefined): void {
    const target = this.#choice(choice)
    this.#isAscii &&= logprobs === undefined && isAscii(text)
    this.#grow(target.addText(text) + (logprobs ? target.addLogprobs(logprobs) : 0))
  }

  toolCalls(choice: number, calls: readonly ToolCall[]): void {
    this.#isAscii = false
    this.#grow(this.#choice(choice).addCalls(calls, (this.#callIds ??= new Set())))
  }

  annotations(choice: number, annotations: readonly UrlCitation[]): void {
    this.#isAscii = false
    this.#grow(this.#choice(choice).addAnnotations(annotations))
  }

  restart(): void {
    this.#choices = emptyChoices(this.#options.shape)
    this.#callIds = undefined
    this.#size = 0
    this.#options.reservation.release()
  }

  end(finishes: readonly FinishReason[], usage: Usage | undefined): void {
    const { id, created, shape, outlet } = this.#options
    const head = serializeHead('chat.completion', id, created, shape.model)
    const choices = finishes.map((reason, index) => this.#choice(index).serialize(index, reason))
    const counted = usage ? `,"usage":${serializeUsage(usage)}` : ''
    // A client may take its time to read the reply; meanwhile the text is all that is kept.
    this.#release()
    outlet.json(200, `${head},"choices":[${choices.join(',')}]${counted}}`, this.#isAscii)
  }

  fail(outcome: Failed): void {
    const { shape } = this.#options
    this.reject(outcomeError(outcome, shape.model, shape.demands))
  }

  /** The same, for an error that is not the outcome of a job. */
  reject(error: ApiError): void {
    this.#release()
    sendError(this.#options.outlet, error)
  }

  /** The client has left: nothing more is needed. */
  abandon(): void {
    this.#release()
  }

  /** The front lets no other numbers through. */
  #choice(index: number): WholeChoice {
    const choice = this.#choices[index]
    if (!choice) throw new Error(`This reply has no choice ${index}`)
    return choice
  }

  #grow(characters: number): void {
    this.#size += characters
    const full = this.#options.reservation.resize(this.#size * BYTES_PER_CHARACTER)
    if (!full) return
    if (this.#handle) this.#handle.giveUp(full)
    else this.#full = full
  }

  #release(): void {
    this.#choices = []
    this.#options.reservation.release()
    this.#options.releaseRequest()
  }
}

function emptyChoices(shape: ReplyShape): WholeChoice[] {
  const choices = [new WholeChoice(shape)]
  while (choices.length < shape.choices) choices.push(new WholeChoice(shape))
  return choices
}
