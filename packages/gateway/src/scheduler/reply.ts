// Where the events of a job go. Called synchronously, in order, as frames arrive: nothing waits between a token's arrival and its way out.

import type { FinishReason, TokenLogprob, ToolCall, UrlCitation, Usage } from '@hearth/protocol'
import type { Outcome } from './core/types.ts'

export interface Reply {
  text(choice: number, text: string, logprobs: readonly TokenLogprob[] | undefined): void
  toolCalls(choice: number, calls: readonly ToolCall[]): void
  annotations(choice: number, annotations: readonly UrlCitation[]): void
  /** The job runs again from its start: what came so far is void. Only for jobs submitted as rerunnable. */
  restart(): void
  /** Exactly one of `end` and `fail` is called, once, and nothing after it. */
  end(finishes: readonly FinishReason[], usage: Usage | undefined): void
  fail(outcome: Outcome): void
}
