// Why a device can't take a sealed request, in words that say nothing about its content.

import type { JobAttempt, JobError } from '@hearth/protocol'
import type { OpenJobReason } from '@hearth/sealing'
import type { NotTaken } from './taken-requests.ts'

export type SealProblem = OpenJobReason | NotTaken | 'other-content' | 'begun-not-opened' | 'begun-too-long'

const MESSAGES: Readonly<Record<SealProblem, string>> = {
  malformed: 'The sealed request is malformed',
  'too-large': 'The sealed request is too large',
  'not-for-this-device': "The request wasn't sealed for this device",
  'not-opened': "The device can't open the sealed request: it was changed, or sealed for an earlier key of the device",
  stale: 'The request was sealed more than 5 minutes ago, or the clocks of the client and the device differ',
  'taken-before': 'The device already ran this sealed request',
  full: 'The device takes no more sealed requests for a few minutes',
  'other-content': "The sealed request doesn't match its header",
  'begun-not-opened': "The device can't open the beginning of the reply",
  'begun-too-long': 'The beginning of the reply is too long to be continued',
}

/** Another device can't do better with these. */
const FINAL: ReadonlySet<SealProblem> = new Set(['malformed', 'too-large', 'other-content', 'begun-too-long'])

export function sealRejected({ job, attempt }: JobAttempt, problem: SealProblem): JobError {
  return {
    type: 'job-error',
    job,
    attempt,
    code: 'seal_rejected',
    message: MESSAGES[problem],
    retryable: !FINAL.has(problem),
    crashed: false,
  }
}
