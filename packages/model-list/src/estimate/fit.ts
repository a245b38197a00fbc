// Whether a model fits a machine, and how well.

import type { MachineFacts } from './machine-facts.ts'
import { speedOf } from './machine-speed.ts'
import { USUAL_CONTEXT_BYTES, type ModelFacts } from './model-facts.ts'

export type Fit =
  /** The GPU takes the whole model and a context of 8K. */
  | { grade: 'gpu'; gpuShare: 1; contextTokens: number }
  /** The GPU takes the whole model, but only a shorter context. */
  | { grade: 'short-context'; gpuShare: 1; contextTokens: number }
  /** The processor has to compute a part of the model, or all of it. */
  | { grade: 'cpu'; gpuShare: number; contextTokens: number }
  | { grade: 'too-large'; lacks: 'memory' | 'disk'; missingBytes: number }

/** A conversation with a few long messages. */
const USUAL_CONTEXT = 8_192
/** A short conversation: with less, a model is of no use. */
const SHORT_CONTEXT = 4_096
/** Left free on the disk by downloads that people ask for in the console: the owner still has to work on the machine. */
export const SPARE_DISK_BYTES = 500_000_000
/** Buffers that every model needs besides its weights and its context. */
const WORK_BYTES = 200_000_000

/** A model as far as its fit depends on it. */
export type ModelSize = Pick<ModelFacts, 'bytes' | 'contextLength'> & Partial<Pick<ModelFacts, 'contextBytesPerToken'>>

/** The one answer to whether a model fits: for what people see, and for what devices download. */
export function fitOn(machine: MachineFacts, model: ModelSize): Fit {
  const { gpu, room } = speedOf(machine)
  const missing = leastMemory(model) - room
  if (missing > 0) return { grade: 'too-large', lacks: 'memory', missingBytes: Math.ceil(missing) }
  const missingDisk = model.bytes + SPARE_DISK_BYTES - (machine.diskFreeBytes ?? Infinity)
  if (missingDisk > 0) return { grade: 'too-large', lacks: 'disk', missingBytes: missingDisk }
  const onGpu = gpu === undefined ? 0 : tokensIn(gpu.room, model)
  if (onGpu >= usualContext(model)) return { grade: 'gpu', gpuShare: 1, contextTokens: usualContext(model) }
  if (onGpu >= SHORT_CONTEXT) return { grade: 'short-context', gpuShare: 1, contextTokens: onGpu }
  const contextTokens = Math.min(usualContext(model), tokensIn(room, model))
  return { grade: 'cpu', gpuShare: shareOf(gpu?.room ?? 0, needOf(model, contextTokens)), contextTokens }
}

/** Models with a shorter context than usual can't do more. */
export function usualContext({ contextLength = USUAL_CONTEXT }: ModelSize): number {
  return Math.min(contextLength, USUAL_CONTEXT)
}

/** As many as people have at a time; there may be room for more. */
const MOST_CONVERSATIONS = 4

/** How many usual conversations have room beside the weights. */
export function conversationsOn(machine: MachineFacts, model: ModelFacts): number {
  const { gpu, room } = speedOf(machine)
  const available = gpu !== undefined && fitOn(machine, model).grade === 'gpu' ? gpu.room : room
  return Math.min(MOST_CONVERSATIONS, Math.floor(tokensIn(available, model) / usualContext(model)))
}

/** With less memory, a model is of no use. */
export function leastMemory(model: ModelSize): number {
  return needOf(model, SHORT_CONTEXT)
}

function needOf({ bytes, contextBytesPerToken = USUAL_CONTEXT_BYTES }: ModelSize, tokens: number): number {
  return bytes + WORK_BYTES + tokens * contextBytesPerToken
}

function tokensIn(room: number, model: ModelSize): number {
  return Math.max(0, Math.floor((room - needOf(model, 0)) / (model.contextBytesPerToken ?? USUAL_CONTEXT_BYTES)))
}

function shareOf(room: number, need: number): number {
  return Math.max(0, Math.min(1, room / need))
}
