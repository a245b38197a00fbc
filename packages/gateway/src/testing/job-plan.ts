// How a scripted device handles a job. Nothing here waits for time to pass: a test stalls a job with a promise and resumes it by settling
// the promise.

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
  /** The device responds to the offer once this settles. */
  acceptAfter?: Promise<unknown>
  /** The device never responds to the offer. */
  ignoresOffer?: boolean
  refuse?: RefuseReason
  /** Sent in order, right after accepting. */
  progress?: readonly ProgressPhase[]
  /** The text of every choice, whole or in pieces. Default: numbered text. */
  text?: string | readonly string[]
  /** Answers with the JSON of the request, exactly as the gateway sent it. */
  echoesJob?: boolean
  /** Length of the numbered text, default 8. */
  tokens?: number
  /** 'first-tool' calls the request's first tool, unless the request forbids tool calls. */
  calls?: readonly ToolCall[] | 'first-tool'
  annotations?: readonly UrlCitation[]
  /** Default: the number of tokens produced. */
  usage?: Usage | 'none'
  /** Reports the ids of its tokens if the gateway asks for them, and continues what another device began. */
  reportsTokens?: boolean
  /** Default: the actual reason. */
  finish?: FinishReason
  /** Before token `at`, wait until `until` settles. */
  stall?: { at: number; until: Promise<unknown> }
  /** Drops the connection without a close frame: on the offer, after accepting, or before this token. */
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
  /** Each message of tokens waits for it: for measurements with devices that keep a pace of their own. */
  beforeTokens?: () => Promise<unknown>
  /** Tokens per message, like those of one engine step. Default 1. */
  tokensPerMessage?: number
  /** Every frame is sent twice. */
  repeatsFrames?: boolean
  /** Sends frames of another attempt, an unknown job and a used sequence number before each token. */
  sendsStrayFrames?: boolean
  /** Adds fields and frames that this version of the protocol does not know. */
  sendsUnknowns?: boolean
  /** Sent as a separate message before this token. */
  junk?: { at: number; message: string | Uint8Array }
  ignoresCancel?: boolean
}

/** One plan for every job, or a plan chosen by the request. */
export type Plan = JobPlan | ((request: ChatJob) => JobPlan)
