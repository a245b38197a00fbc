// How long a turn of the event loop takes, and how much of that is the gateway's own work. Both come from counters that Node and the kernel
// keep anyway.

import { performance, type EventLoopUtilization } from 'node:perf_hooks'

export interface LoopTurns {
  /** Mean time of a turn, without the time it waited for something to happen. */
  turnMs: number
  /** Processor time per turn, as the kernel counts it: none of the time in which other programs had the processor. */
  turnCpuMs: number
}

interface Counters {
  turns: number
  cpuMicros: number
  utilization: EventLoopUtilization
}

export class LoopMeter {
  #before = readCounters()

  /** About the time since the last call. */
  read(): LoopTurns {
    const before = this.#before
    const now = readCounters()
    this.#before = now
    const turns = Math.max(1, now.turns - before.turns)
    const { active } = performance.eventLoopUtilization(now.utilization, before.utilization)
    return { turnMs: active / turns, turnCpuMs: (now.cpuMicros - before.cpuMicros) / 1_000 / turns }
  }
}

function readCounters(): Counters {
  const { user, system } = process.threadCpuUsage()
  return {
    turns: performance.nodeTiming.uvMetricsInfo.loopCount,
    cpuMicros: user + system,
    utilization: performance.eventLoopUtilization(),
  }
}
