// Reads token counts from the frames of devices, for the scheduler's core.

import { estimateTokens } from '@hearth/chat'
import type { JobFrame } from '../terms/job-frame.ts'
import type { TokenCount } from '../terms/job.ts'
import type { EventFrame } from './answer.ts'

type ProgressFrame = Extract<JobFrame, { type: 'job-progress' }>
type EndFrame = Extract<JobFrame, { type: 'job-end' }>

/** A box with a short text has about this many characters: the text is padded, sealed and written as base64. */
const SHORT_BOX = 108

/** The device's own count, or one token per log probability, or an estimate, which may be a fraction. */
export function eventTokens(frame: EventFrame): number {
  switch (frame.type) {
    case 'job-delta':
      return frame.tokens ?? frame.logprobs?.length ?? estimateTokens(frame.text.length)
    case 'job-calls':
      return frame.calls.reduce((sum, call) => sum + estimateTokens(call.name.length + call.arguments.length), 0)
    case 'job-annotations':
      return 0
    case 'job-sealed':
      return frame.tokens ?? 1 + estimateTokens(Math.max(0, frame.box.length - SHORT_BOX))
    default:
      return frame satisfies never
  }
}

/** The total of a progress report is the length of the prompt only while the device reads the prompt. */
export function promptTokens({ phase, total }: ProgressFrame): number | undefined {
  return phase === 'prompt' ? total : undefined
}

/** A device reports the tokens of one choice; this counts all choices. */
export function endTokens({ usage, finishes }: EndFrame): TokenCount | undefined {
  return usage && { prompt: usage.promptTokens, completion: usage.completionTokens * finishes.length }
}
