// CPU time and memory of other processes, as the kernel counts them. Linux only; on other systems the columns say so.

import { readdirSync, readFileSync } from 'node:fs'

/** User and system time of the processes together, in microseconds. Threads that have ended don't count. */
export function cpuMicros(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuNanos(pid), 0) / 1e3
}

export function memoryBytes(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    0,
  )
}

/** By thread, because the kernel gives the time of a whole process in steps of 10 ms only. */
function cpuNanos(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => sum + threadNanos(pid, thread), 0)
}

function threadNanos(pid: number, thread: string): number {
  const [onProcessor] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ')
  return Number(onProcessor)
}
