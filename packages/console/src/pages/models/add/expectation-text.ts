// What to expect of a model on a machine, in words.

import type { Estimate, Fit, Speed } from '@hearth/model-list'
import { formatBytes, formatContext, formatSpeed } from '../../../lib/format.ts'

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
    return `Needs ${formatBytes(fit.missingBytes)} more ${fit.lacks === 'disk' ? 'disk space' : 'memory'}`
  if (fit.grade === 'gpu') return 'Fits the GPU'
  if (fit.grade === 'cpu') return fit.gpuShare > 0 ? 'Runs partly on the processor' : 'Runs on the processor'
  return `Fits the GPU with ${formatContext(1024 * Math.floor(fit.contextTokens / 1024))} of context`
}

/** No more digits than an estimate has. */
function roughly(value: number): string {
  if (value >= 100) return String(Math.round(value / 10) * 10)
  return value >= 3 ? String(Math.round(value)) : value.toFixed(1)
}
