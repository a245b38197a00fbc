// How fast a model will answer on a machine, before anybody has tried it. Reading the weights takes nearly all the time of a token, and computing
// nearly all the time of a prompt.

import type { Fit } from './fit.ts'
import type { MachineFacts } from './machine-facts.ts'
import { speedOf, type Processor } from './machine-speed.ts'
import type { ModelFacts } from './model-facts.ts'

export interface Speed {
  tokensPerSecond: number
  /** For a prompt of 500 tokens. */
  firstTokenMs: number
}

/** Tokens of context that are read again for each new token: a conversation of a few messages. */
const TYPICAL_CONTEXT = 2_048
const PROMPT_TOKENS = 500
/** From the client to the device and back, rendering the prompt, and starting the job. */
const START_MS = 30

/** Undefined if it doesn't fit. */
export function expectedSpeed(machine: MachineFacts, model: ModelFacts, fit: Fit): Speed | undefined {
  if (fit.grade === 'too-large') return undefined
  const { cpu, gpu = cpu } = speedOf(machine)
  const split = (time: (on: Processor) => number): number => fit.gpuShare * time(gpu) + (1 - fit.gpuShare) * time(cpu)
  const step = split(({ bandwidth, stepMs }) => stepMs + (bytesPerToken(model) / bandwidth) * 1000)
  const prompt = split(({ flops }) => (promptOperations(model) / flops) * 1000)
  return { tokensPerSecond: 1000 / step, firstTokenMs: START_MS + prompt + step }
}

function bytesPerToken({ bytes, parameters, activeParameters, contextBytesPerToken }: ModelFacts): number {
  return bytes * (activeParameters / parameters) + TYPICAL_CONTEXT * contextBytesPerToken
}

/** A multiplication and an addition for each parameter and token. */
function promptOperations({ activeParameters }: ModelFacts): number {
  return 2 * activeParameters * 1e9 * PROMPT_TOKENS
}
