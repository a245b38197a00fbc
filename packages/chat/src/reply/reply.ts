// A submitted job, from both sides: `Reply` gets its events, `JobHandle` controls it.

import type { CancelReason, FinishReason, TokenLogprob, ToolCall, UrlCitation, Usage } from '@hearth/protocol'
import type { Full } from '../budget/byte-budget.ts'
import type { Failed } from '../outcome.ts'

/** A request as the fleet keeps it. */
export interface SerializedJob {
  /** The `ChatJob` as JSON. */
  text: string
  choices: number
}

/** How a job got to its device. */
export interface Placement {
  /** The device that answers; undefined if none accepted the job. */
  device: string | undefined
  /** Until the device accepted the job and had the model loaded, or until the job ended without one. */
  waitMs: number
  /** How often the job was offered to a device. */
  attempts: number
}

/** Called synchronously and in order as frames arrive, so a token is on its way out as soon as it is in. */
export interface Reply {
  /** Called once, before the client gets anything: before the first event of a stream, and otherwise before the end. */
  placed(placement: Placement): void
  text(choice: number, text: string, logprobs: readonly TokenLogprob[] | undefined): void
  toolCalls(choice: number, calls: readonly ToolCall[]): void
  annotations(choice: number, annotations: readonly UrlCitation[]): void
  /** The job starts over: discard everything so far. Only for jobs submitted as rerunnable. */
  restart(): void
  /** Exactly one of `end` and `fail` is called, once, and nothing after it. Neither is called for a canceled job. */
  end(finishes: readonly FinishReason[], usage: Usage | undefined): void
  fail(outcome: Failed): void
}

export interface JobHandle {
  cancel(reason: CancelReason): void
  /** There is no memory for more of the reply: the job fails. */
  giveUp(full: Full): void
  /** The client reads slowly: the device stops producing until `resume`. */
  pause(): void
  resume(): void
}
