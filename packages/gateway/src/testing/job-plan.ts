// What a scripted device does with a job. Nothing here waits for time to pass: a test holds a job by a promise and lets it go by settling it.

import type {
  ChatJob,
  FinishReason,
  JobErrorCode,
  ProgressPhase,
  RefuseReason,
  ToolCall,
  UrlCitation,
  Usage,
} from '@hearth/protocol'

export interface JobPlan {
  /** The offer is answered once this settles. */
  acceptAfter?: Promise<unknown>
  /** The offer is never answered. */
  ignoresOffer?: boolean
  refuse?: RefuseReason
  /** Sent right after the accept, in order. */
  progress?: readonly ProgressPhase[]
  /** The answer of every choice, whole or in pieces. Default: numbered text. */
  text?: string | readonly string[]
  /** Answers with the JSON of the request, as the gateway sent it. */
  echoesJob?: boolean
  /** Length of the numbered text, default 8. */
  tokens?: number
  /** 'first-tool' calls the first tool of the request, unless the request forbids calls. */
  calls?: readonly ToolCall[] | 'first-tool'
  annotations?: readonly UrlCitation[]
  /** Default: what was produced, when the request asks for nothing else. */
  usage?: Usage | 'none'
  /** Every delta says how many tokens it holds. */
  countsTokens?: boolean
  /** Default: what really ended the answer. */
  finish?: FinishReason
  /** Before token `at`, wait until `until` settles. */
  stall?: { at: number; until: Promise<unknown> }
  /** The socket is cut, without a goodbye: on the offer, after the accept, or before this token. */
  crashAt?: 'offer' | 'accept' | number
  /** The job fails before this token (default 0). */
  failure?: {
    at?: number
    code?: JobErrorCode
    message?: string
    retryable?: boolean
    crashed?: boolean
    param?: string
  }
  /** Pause between tokens, for measurements and races; tests of order use `stall`. */
  intervalMs?: number
  /** Tokens that leave in one message, as those of one engine step do. Default 1. */
  tokensPerMessage?: number
  /** Every frame is sent twice. */
  repeatsFrames?: boolean
  /** Before each token come frames of another attempt, of an unknown job, and of a sequence number already used. */
  sendsStrayFrames?: boolean
  /** Every frame has fields, and between the frames are types, that this version of the protocol does not know. */
  sendsUnknowns?: boolean
  /** Sent as a message of its own before this token. */
  junk?: { at: number; message: string | Uint8Array }
  ignoresCancel?: boolean
  ignoresPause?: boolean
}

/** One plan for every job, or one chosen by the request. */
export type Plan = JobPlan | ((request: ChatJob) => JobPlan)
