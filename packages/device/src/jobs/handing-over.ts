// Hands running jobs to other devices because the owner wants the machine back. The gateway takes those that another device can continue,
// and is asked again every second, because one may have become free. The others may finish until time is up, and are then returned.

import type { Clock } from '../clock.ts'
import type { HandOverNews } from '../news.ts'
import type { JobRunner } from './job-runner.ts'

export interface HandingOverOptions {
  runner: Pick<JobRunner, 'running' | 'counts' | 'handOver' | 'stopAll' | 'idle'>
  clock: Clock
  onNews: (news: HandOverNews) => void
}

const ASK_AGAIN_MS = 1_000

export class HandingOver {
  readonly #options: HandingOverOptions
  #end: (() => void) | undefined

  constructor(options: HandingOverOptions) {
    this.#options = options
  }

  /** Resolves when no job is left, or when it was canceled. A second call starts over with its own time limit. */
  async begin(waitMs: number): Promise<void> {
    this.cancel()
    const { runner, clock, onNews } = this.#options
    const jobs = runner.running
    if (jobs === 0) return
    const before = runner.counts.handedOver
    let returned = 0
    const giveUp = (): void => {
      returned = runner.running
      runner.stopAll('leaving')
    }
    const canceled = Promise.withResolvers<'canceled'>()
    const stops = [clock.every(ASK_AGAIN_MS, () => runner.handOver()), clock.after(waitMs, giveUp)]
    const end = (): void => {
      for (const stop of stops) stop()
      canceled.resolve('canceled')
    }
    this.#end = end
    onNews({ type: 'handing-over', jobs, waitMs })
    runner.handOver()
    if ((await Promise.race([runner.idle(), canceled.promise])) === 'canceled') return
    end()
    const moved = runner.counts.handedOver - before
    onNews({ type: 'handed-over', handedOver: moved, returned, ended: Math.max(0, jobs - moved - returned) })
  }

  /** Running jobs stay here after all. */
  cancel(): void {
    this.#end?.()
    this.#end = undefined
  }
}
