// Ends a draw whose grammar takes too much work. That is measured as CPU time: a clock would also count how long a busy machine, or another
// reply, has kept it waiting.

import { TooManyWays } from '@hearth/json-schema-grammar'

/** A grammar that takes this much for one token takes several times more for the next. */
const MAX_MS = 3_000

/** CPU time so far, in milliseconds. */
export interface CpuTimes {
  ofThread: () => number
  ofOtherThreads: () => number
}

const CPU_TIMES: CpuTimes = {
  ofThread: () => toMs(process.threadCpuUsage()),
  ofOtherThreads: () => toMs(process.cpuUsage()) - toMs(process.threadCpuUsage()),
}

export class WorkLimit {
  readonly #times: CpuTimes

  constructor(times = CPU_TIMES) {
    this.#times = times
  }

  /** For a call that no count of steps limits, and that everything else on this thread waits for. */
  call<Result>(call: () => Result): Result {
    const begun = this.#times.ofThread()
    const result = call()
    this.#check(this.#times.ofThread() - begun)
    return result
  }

  /** For a call that the library works on in another thread. A model's process has little else to compute during a draw. */
  async wait<Result>(call: () => Promise<Result>): Promise<Result> {
    const begun = this.#times.ofOtherThreads()
    // It begins in this one.
    const result = await this.call(call)
    this.#check(this.#times.ofOtherThreads() - begun)
    return result
  }

  #check(ms: number): void {
    if (ms > MAX_MS) throw new TooManyWays()
  }
}

function toMs({ user, system }: NodeJS.CpuUsage): number {
  return (user + system) / 1000
}
