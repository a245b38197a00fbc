// One attempt as the scheduler and the front should know it.

import { estimateTokens } from '@hearth/chat'
import type { ModelFile, Ms, TokenCount } from '../../terms/job.ts'
import type { Start } from '../../terms/messages.ts'
import type { KnownDevice, Served } from './known-device.ts'
import type { KnownJob, Try } from './known-job.ts'

export class KnownAttempt implements Try {
  readonly reporter: Start
  readonly job: KnownJob
  readonly device: KnownDevice
  readonly served: Served
  readonly offeredAt: Ms
  readonly answerBy: Ms
  lastSignAt: Ms
  /** Its device has it. */
  isStarted = false
  isAccepted = false
  isEnded = false
  isCancelled = false
  /** The device left an event out. */
  isFaulty = false
  /** The device loads the model first, as far as it said. */
  isLoading = false
  /** The device has not answered in the usual time. */
  isLate = false
  /** The model file that its tokens come from, if the device reports them. */
  readonly file: ModelFile | undefined
  promptTokens: number
  deliveredTokens = 0
  endTokens: TokenCount | undefined

  constructor(reporter: Start, job: KnownJob, device: KnownDevice, isRecorded: boolean, now: Ms, acceptMs: Ms) {
    this.reporter = reporter
    this.job = job
    this.device = device
    this.served = device.served.get(job.ticket.model)!
    const { digest, contextLength } = this.served
    this.file = isRecorded && digest !== undefined ? { digest, contextLength } : undefined
    this.promptTokens = Math.ceil(estimateTokens(job.ticket.promptSize))
    this.offeredAt = this.lastSignAt = now
    this.answerBy = Math.min(now + acceptMs, job.waitUntil, job.totalUntil, job.returnUntil)
  }
}
