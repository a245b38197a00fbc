// The messages between the device app and an engine's process. All outputs of one step of the batch loop travel in one message.

import type { ChatEvent, DeviceModel, JobErrorCode } from '@hearth/protocol'
import type { BackendFault } from '../../../gpu/backend.ts'
import { EngineError, type EngineJob, type EngineProgress, type LoadProgress, type Memory } from '../../engine.ts'
import type { LlamaOptions } from '../llama-options.ts'
import type { RoomFacts } from '../native/load-model.ts'

export type ToHost =
  | { type: 'load'; options: LlamaOptions; room: RoomFacts }
  /** For all runs after it; undefined means the one in the model's file. */
  | { type: 'template'; chatTemplate: string | undefined }
  | { type: 'run'; run: number; job: EngineJob }
  | { type: 'cancel'; run: number }
  | { type: 'pause'; run: number; isPaused: boolean }
  | { type: 'stop' }

export type FromHost =
  /** `textRoom` is the most characters that may fit, without white space (see text-room.ts). */
  | { type: 'loaded'; model: DeviceModel; memory: Memory; textRoom: number }
  /** The model would get too little. Nothing is loaded; the process waits for the next `load`. */
  | { type: 'cramped' }
  | { type: 'load-progress'; progress: LoadProgress }
  | { type: 'load-failed'; error: SerializedError }
  | { type: 'outputs'; outputs: RunOutput[] }

export type RunOutput =
  | { run: number; type: 'event'; event: ChatEvent }
  | { run: number; type: 'progress'; progress: EngineProgress }
  /** Nothing follows, and the slots are free. */
  | { run: number; type: 'end'; error?: SerializedError }

/** The exit code of a process that got stuck in a step. */
export const EXIT_STUCK = 70

/** An EngineError loses its class between processes. */
export interface SerializedError {
  code: JobErrorCode
  message: string
  retryable: boolean
  param?: string
  fault?: BackendFault
}

export function serializeError({ code, message, retryable, param, fault }: EngineError): SerializedError {
  return { code, message, retryable, ...(param !== undefined && { param }), ...(fault !== undefined && { fault }) }
}

export function readError({ code, message, ...options }: SerializedError): EngineError {
  return new EngineError(code, message, options)
}
