// What the device app and an engine's process say to each other. Everything of one step of the batch loop travels in one message.

import type { ChatEvent, ChatJob, DeviceModel, JobErrorCode } from '@hearth/protocol'
import { EngineError, type EngineProgress } from '../../engine.ts'
import type { LlamaOptions } from '../llama-options.ts'

export type ToHost =
  | { type: 'load'; options: LlamaOptions }
  | { type: 'run'; run: number; job: ChatJob }
  | { type: 'cancel'; run: number }
  | { type: 'pause'; run: number; isPaused: boolean }
  | { type: 'stop' }

export type FromHost =
  | { type: 'loaded'; model: DeviceModel }
  | { type: 'load-failed'; error: SpelledError }
  | { type: 'outputs'; outputs: RunOutput[] }

export type RunOutput =
  | { run: number; type: 'event'; event: ChatEvent }
  | { run: number; type: 'progress'; progress: EngineProgress }
  /** Nothing follows; the slots are free. */
  | { run: number; type: 'end'; error?: SpelledError }

/** The code a process ends with when a step of it went astray. */
export const EXIT_STUCK = 70

/** An EngineError loses its class on the way between processes. */
export interface SpelledError {
  code: JobErrorCode
  message: string
  retryable: boolean
  param?: string
}

export function spellError({ code, message, retryable, param }: EngineError): SpelledError {
  return { code, message, retryable, ...(param === undefined ? {} : { param }) }
}

export function readError({ code, message, ...options }: SpelledError): EngineError {
  return new EngineError(code, message, options)
}
