// CPU time and memory of other processes, as the kernel counts them. Linux only; on other systems the columns say so.

import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** User and system time of the processes together, in microseconds. */
export function cpuMicros(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuTicks(pid), 0) * (1e6 / TICKS_PER_SECOND)
}

export function memoryBytes(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    0,
  )
}

function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
