// Replies that outlive their device: whether a device can report the tokens it draws, and which devices can continue from them.

import { lacking, toMask } from '../state/feature-mask.ts'
import { hasDelivered, type Held, type Job, type ServedModel } from '../state/state.ts'
import type { ModelFile } from '../../../terms/job.ts'

const RESUME = toMask(['resume'])
const WEB_SEARCH = toMask(['web_search'])

/** Undefined if the device can't report its tokens, or if another one could not use them: it would find other pages in a web search. */
export function reportedFile(job: Job, { digest, contextLength, features }: ServedModel): ModelFile | undefined {
  const isUseless = !job.isRecordable || (job.features & WEB_SEARCH) !== 0
  return isUseless || digest === undefined || lacking(RESUME, features) !== 0 ? undefined : { digest, contextLength }
}

/** Only the same file computes the same text from the same tokens. With less context, the reply could not be as long. */
export function canContinue(begun: ModelFile, { digest, contextLength, features }: ServedModel): boolean {
  return digest === begun.digest && contextLength >= begun.contextLength && lacking(RESUME, features) === 0
}

/** The model file that drew the reply up to the loss of this attempt; undefined if there is nothing to continue, or no way. */
export function begunBy(held: Held): ModelFile | undefined {
  const { job, file } = held.lease
  if (!job.isRecordable) return undefined
  return job.course.begun ?? (hasDelivered(held) ? file : undefined)
}
