// Collects the events of a job and replies once, when it has ended.

import type { FinishReason, TokenLogprob, ToolCall, UrlCitation, Usage } from '@hearth/protocol'
import type { Failed, Reply } from '../fleet/fleet.ts'
import { FINGERPRINT, shapeAnnotation, shapeLogprobs, shapeToolCalls, shapeUsage } from './completion-shape.ts'
import { outcomeError } from './outcome-error.ts'
import type { Outlet } from './outlet.ts'
import type { ReplyShape } from './prepare-chat.ts'
import { sendError } from './send-error.ts'

interface Choice {
  text: string
  logprobs: TokenLogprob[]
  calls: ToolCall[]
  annotations: UrlCitation[]
}

export interface WholeReplyOptions {
  id: string
  created: number
  shape: ReplyShape
  outlet: Outlet
  /** Called when the job is over: until then it may be run again. */
  releaseRequest: () => void
}

export class WholeReply implements Reply {
  readonly #options: WholeReplyOptions
  #choices: Choice[]

  constructor(options: WholeReplyOptions) {
    this.#options = options
    this.#choices = emptyChoices(options.shape)
  }

  text(choice: number, text: string, logprobs: readonly TokenLogprob[] | undefined): void {
    const target = this.#choices[choice]!
    target.text += text
    if (logprobs) target.logprobs.push(...logprobs)
  }

  toolCalls(choice: number, calls: readonly ToolCall[]): void {
    this.#choices[choice]!.calls.push(...calls)
  }

  annotations(choice: number, annotations: readonly UrlCitation[]): void {
    this.#choices[choice]!.annotations.push(...annotations)
  }

  restart(): void {
    this.#choices = emptyChoices(this.#options.shape)
  }

  end(finishes: readonly FinishReason[], usage: Usage | undefined): void {
    const { id, created, shape, outlet, releaseRequest } = this.#options
    const callIds = new Set<string>()
    const completion = {
      id,
      object: 'chat.completion',
      created,
      model: shape.model,
      system_fingerprint: FINGERPRINT,
      choices: this.#choices.map((choice, index) => this.#shape(choice, index, finishes[index]!, callIds)),
      ...(usage && { usage: shapeUsage(usage) }),
    }
    const text = JSON.stringify(completion)
    // A client may take its time to read the reply; meanwhile the text is all that is kept.
    this.#choices = []
    releaseRequest()
    outlet.json(200, text)
  }

  fail(outcome: Failed): void {
    const { shape, outlet, releaseRequest } = this.#options
    this.#choices = []
    releaseRequest()
    sendError(outlet, outcomeError(outcome, shape.model, shape.demands))
  }

  #shape(
    { text, logprobs, calls, annotations }: Choice,
    index: number,
    finishReason: FinishReason,
    callIds: Set<string>,
  ) {
    const { hasLogprobs, mirrorsFunctions } = this.#options.shape
    const toolCalls = shapeToolCalls(calls, callIds)
    const message = {
      role: 'assistant',
      content: text,
      refusal: null,
      ...(annotations.length > 0 && { annotations: annotations.map(shapeAnnotation) }),
      ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
      ...(toolCalls.length > 0 && mirrorsFunctions && { function_call: toolCalls[0]!.function }),
    }
    return { index, message, logprobs: hasLogprobs ? shapeLogprobs(logprobs) : null, finish_reason: finishReason }
  }
}

function emptyChoices({ choices }: ReplyShape): Choice[] {
  return Array.from({ length: choices }, () => ({ text: '', logprobs: [], calls: [], annotations: [] }))
}
