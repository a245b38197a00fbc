// Passes a front's report about an attempt to the core.

import type { Reporter } from '../terms/job.ts'
import type { Report } from '../terms/messages.ts'
import type { SchedulerCore } from './core/scheduler-core.ts'

/** The device is done with the attempt. */
export function isLastReport({ kind }: Report): boolean {
  return kind === 'refused' || kind === 'ended' || kind === 'failed' || kind === 'over' || kind === 'unknown'
}

export function reportTo(
  core: SchedulerCore,
  from: Reporter,
  report: Exclude<Report, { kind: 'unknown' }>,
  now: number,
): void {
  switch (report.kind) {
    case 'accepted':
      return core.accepted(from, now)
    case 'refused':
      return core.refused(from, report.reason, now)
    case 'loading':
      return core.loading(from, now)
    case 'progress':
      return core.progress(from, report.promptTokens, now)
    // Every report carries the delivered part beside it, which is taken before this.
    case 'delivered':
      return
    case 'ended':
      return core.ended(from, report.tokens, now)
    case 'failed':
      return core.failed(from, report.failure, now)
    case 'hand-over':
      return core.handOver(from, now)
    case 'faulted':
      return core.faulted(from, now)
    case 'over':
      return core.cancelConfirmed(from, now)
    case 'unrecordable':
      return core.stopRecording(from.job)
    default:
      report satisfies never
  }
}
