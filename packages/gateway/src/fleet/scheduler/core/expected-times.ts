// How long a job is expected to take on a device. Choosing a device, planning the line and forecasting all ask here.

import type { Ticket } from '../../terms/job.ts'
import type { ModelQueue } from './state.ts'

/** Of a model that has not answered anything yet. */
const FIRST_GUESS_TOKENS = 100
/** How much the first token of a stream counts beside its end: somebody reads what is there. */
const FIRST_TOKEN_WEIGHT = 0.25

/** Of the answer, as it usually is for the key. */
export function expectedTokens({ answers, habits }: ModelQueue, { key, answerLimit = Infinity }: Ticket): number {
  return Math.min(answerLimit, answers.isEmpty ? FIRST_GUESS_TOKENS : habits.usualTokens(key) * answers.mean)
}

/** How much writing an answer counts: less if somebody reads it meanwhile. */
export function writingWeight({ rerunnable }: Ticket): number {
  return rerunnable ? 1 : 1 - FIRST_TOKEN_WEIGHT
}
