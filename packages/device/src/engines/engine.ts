// What computes on a device. The rest of the device app knows engines only through this file; every engine passes engine.contract.ts.

import type { ChatEvent, ChatJob, DeviceModel, JobErrorCode, ProgressPhase } from '@hearth/protocol'

export interface Engine {
  /** Named in `hello` and in `status`: 'llama', 'openai-server'. */
  readonly kind: string

  /** Loads or connects, and probes what works. Throws EngineError when nothing can be served. */
  start(signal: AbortSignal): Promise<void>

  /** What can be served at this moment; empty before the start, after the stop and while a crashed engine restarts. */
  models(): readonly DeviceModel[]

  /**
   * Text comes in order per choice and is cut only at character borders; tool calls come whole; the last event is `end`.
   * Leaving the loop or aborting the signal cancels: the slot is free again once the iterator has returned.
   * An iterable that is not pulled stops producing after a small buffer, so that pausing a job is simply not asking for more.
   * Throws EngineError, or the signal's reason when it was aborted.
   */
  run(job: ChatJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncIterable<ChatEvent>

  /** Returns what ends the listening. */
  onChange(listener: (change: EngineChange) => void): () => void

  /** Ends every job and frees everything. An engine that was stopped does not start again. */
  stop(): Promise<void>
}

export interface EngineProgress {
  phase: ProgressPhase
  /** Tokens, when the phase counts some. */
  done?: number
  total?: number
}

/** After each of these `models()` may answer something else. */
export type EngineChange =
  | { type: 'models-changed' }
  | { type: 'engine-crashed'; model: string; message: string; restartInMs: number }
  | { type: 'engine-restarted'; model: string }
  /** It crashed too often in a row and is not restarted any more. */
  | { type: 'engine-gave-up'; model: string; message: string }

export interface EngineErrorOptions {
  /** The same job may succeed here later, or on another device. */
  retryable?: boolean
  /** The engine died while it ran this job. */
  crashed?: boolean
  /** The field of the request that is at fault. */
  param?: string
  cause?: unknown
}

export class EngineError extends Error {
  override name = 'EngineError'
  readonly code: JobErrorCode
  readonly retryable: boolean
  readonly crashed: boolean
  readonly param: string | undefined

  constructor(code: JobErrorCode, message: string, options: EngineErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
    this.crashed = options.crashed ?? false
    this.param = options.param
  }
}
