// What to expect of a model on a machine, in words: the same in terminals and in the console.

import { formatBytes, formatContext, formatMemory, formatSpeed, plural } from '@hearth/command-line/format'
import { estimate, type Estimate } from './estimate.ts'
import type { Speed } from './expected-speed.ts'
import { conversationsOn, usualContext, type Fit } from './fit.ts'
import type { MachineFacts } from './machine-facts.ts'
import type { ModelFacts } from './model-facts.ts'
import { ofItself } from './recommend.ts'

/** "About 12 tokens/s"; undefined if nobody knows. */
export function speedText({ speed, isMeasured }: Estimate): string | undefined {
  if (speed === undefined) return undefined
  return isMeasured
    ? `Measured ${formatSpeed(speed.tokensPerSecond)} tokens/s`
    : `About ${roughly(speed.tokensPerSecond)} tokens/s`
}

/** For a prompt of about a page. */
export function firstTokenText({ firstTokenMs }: Speed): string {
  const seconds = firstTokenMs / 1000
  if (seconds >= 90) return `about ${Math.round(seconds / 60)} min`
  return `about ${seconds < 0.1 ? '0.1' : roughly(seconds)} s`
}

export function fitText(fit: Fit): string {
  if (fit.grade === 'too-large')
    return fit.lacks === 'disk'
      ? `Needs ${formatBytes(fit.missingBytes)} more disk space`
      : `Needs ${formatMemory(fit.missingBytes)} more memory`
  if (fit.grade === 'gpu') return 'Fits the GPU'
  if (fit.grade === 'cpu') return fit.gpuShare > 0 ? 'Runs partly on the processor' : 'Runs on the processor'
  return `Fits the GPU with ${formatContext(1024 * Math.floor(fit.contextTokens / 1024))} of context`
}

/** Why a model is recommended: "Fits in memory with room for 4 conversations of 8K, about 9 tokens/s". */
export function reasonFor(machine: MachineFacts, model: ModelFacts): string {
  const own = ofItself(machine)
  const { fit, speed } = estimate(own, model)
  const place = fit.grade === 'gpu' ? 'the GPU' : 'in memory'
  const room = `${plural(conversationsOn(own, model), 'conversation')} of ${formatContext(usualContext(model))}`
  return `Fits ${place} with room for ${room}, about ${roughly(speed?.tokensPerSecond ?? 0)} tokens/s`
}

/** No more digits than an estimate has. */
function roughly(value: number): string {
  if (value >= 100) return String(Math.round(value / 10) * 10)
  return value >= 3 ? String(Math.round(value)) : value.toFixed(1)
}
