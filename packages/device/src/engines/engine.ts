// Engines compute replies. The rest of the device app knows them only through this file; every engine passes engine.contract.ts.

import type {
  ChatEvent,
  ChatJob,
  DeviceModel,
  JobErrorCode,
  ModelDefaults,
  PrefixScope,
  ProgressPhase,
} from '@hearth/protocol'
import type { BackendFault } from '../gpu/backend.ts'

/** A job as an engine gets it: with the model's defaults where the request said nothing. */
export interface EngineJob extends ChatJob, Pick<ModelDefaults, 'topK' | 'minP' | 'repeatPenalty'> {
  /** Replaces the chat template in the model's file. Local servers have their own and ignore it. */
  chatTemplate?: string
  prefixScope?: EngineScope
}

export interface EngineScope extends PrefixScope {
  /** Nothing that was computed for it is reused for another scope. */
  isPrivate?: boolean
}

export interface Engine {
  /** Sent in `hello` and shown in `status`: 'llama', 'openai-server'. */
  readonly kind: string

  /** Loads a model or connects to a server, and probes which features work. Throws EngineError if there is nothing to serve. */
  start(signal: AbortSignal): Promise<void>

  /** The models that take jobs right now: none before the start, none after the end. */
  models(): readonly DeviceModel[]

  /**
   * Text comes in order per choice and is only split between characters; tool calls come whole; the last event is `end`.
   * Leaving the loop or aborting the signal cancels the job: its slot is free again once the iterator has returned.
   * An iterable that nobody reads stops producing after a small buffer, so to pause a job, just stop reading.
   * Throws EngineError, or the signal's reason if it was aborted.
   */
  run(job: EngineJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncIterable<ChatEvent>

  /** Ends every job and frees everything. A stopped engine can't be started again. */
  stop(): Promise<void>
}

/** An engine for one model. It dies at most once and doesn't come back: a new one takes its place. */
export interface ModelEngine extends Engine {
  /** Rejects with NoRoomError if the room decided against it. Without a room, the model takes the memory that is free. */
  start(signal: AbortSignal, room?: Room, report?: (progress: LoadProgress) => void): Promise<void>
  /** The memory that the loaded model takes, as far as the engine knows. */
  readonly memory?: Memory | undefined
  /** Resolves if the engine dies after it started; stays pending if it is stopped. */
  readonly ended: Promise<EngineEnd>
}

/** Something that a model's start waits for, beyond loading it. */
export interface LoadProgress {
  /** The GPU's driver compiles the kernels for this card. It keeps them, so that this happens once. */
  step: 'compiling'
  done: number
  total: number
}

/** In bytes. */
export interface Memory {
  ram: number
  gpu: number
}

/** The memory of the machine, as a model that is about to be loaded beside others sees it. */
export interface Room {
  /** Memory that the loaded models take. */
  held(): Memory
  /** The part of it that unloading others could free. */
  evictable(): Memory
  /**
   * For an engine that would get too little. `made`: another model was unloaded, so it should plan again. `take-less`: no other model may
   * go, so it should take what there is. `give-up`: it is not worth unloading others for it.
   */
  make(signal: AbortSignal): Promise<'made' | 'take-less' | 'give-up'>
}

/** The model doesn't fit beside the others, and they stay. */
export class NoRoomError extends Error {
  override name = 'NoRoomError'
}

export interface EngineEnd {
  why: string
  cause: EndCause
  /** Absent if the back end can't be to blame. */
  fault?: BackendFault
  /** The jobs that were running, one of which may be the cause. */
  jobs: readonly EngineJob[]
}

/** `crash`: its own code failed. `memory`: there was not enough of it. `killed`: somebody else ended it. */
export type EndCause = 'crash' | 'memory' | 'killed'

/** An engine whose models come and go while it runs. */
export interface ChangingEngine extends Engine {
  /** Calls the listener whenever `models()` has changed. Returns a function that stops the calls. */
  onChange(listener: () => void): () => void
}

export interface EngineProgress {
  phase: ProgressPhase
  /** Tokens, in phases that count them. */
  done?: number
  total?: number
}

export interface EngineErrorOptions {
  /** The same job may succeed here later, or on another device. */
  retryable?: boolean
  /** The engine died while it ran this job. */
  crashed?: boolean
  /** The field of the request that is wrong. */
  param?: string
  /** Set if the back end may be to blame. A model that is too large or damaged is no fault of the back end. */
  fault?: BackendFault
  cause?: unknown
}

export class EngineError extends Error {
  override name = 'EngineError'
  readonly code: JobErrorCode
  readonly retryable: boolean
  readonly crashed: boolean
  readonly param: string | undefined
  readonly fault: BackendFault | undefined

  constructor(code: JobErrorCode, message: string, options: EngineErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.retryable = options.retryable ?? false
    this.crashed = options.crashed ?? false
    this.param = options.param
    this.fault = options.fault
  }
}
