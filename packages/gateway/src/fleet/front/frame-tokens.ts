// Reads token counts from the frames of devices, for the scheduler's core.

import { estimateTokens } from '@hearth/chat'
import type { JobFrame } from '../terms/job-frame.ts'
import type { TokenCount } from '../terms/job.ts'

type EventFrame = Extract<JobFrame, { choice: number }>
type ProgressFrame = Extract<JobFrame, { type: 'job-progress' }>
type EndFrame = Extract<JobFrame, { type: 'job-end' }>

/** The device's own count, or one token per log probability, or an estimate, which may be a fraction. */
export function eventTokens(frame: EventFrame): number {
  switch (frame.type) {
    case 'job-delta':
      return frame.tokens ?? frame.logprobs?.length ?? estimateTokens(frame.text.length)
    case 'job-calls':
      return frame.calls.reduce((sum, call) => sum + estimateTokens(call.name.length + call.arguments.length), 0)
    case 'job-annotations':
      return 0
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
