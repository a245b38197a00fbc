// Facts about the gateway process, from the system: memory, and how long its event loop was busy with one thing.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

const MIB = 1024 * 1024

/** The most memory the process ever had. Systems other than Linux only tell the current value. */
export function peakMemoryMiB(pid: number): number {
  const status = `/proc/${pid}/status`
  if (existsSync(status)) return (Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) * 1024) / MIB
  return (Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) * 1024) / MIB
}

/** Turns of the event loop since a moment, in milliseconds of CPU time, longest first; from what watch-loop.ts wrote. */
export function loopStallsMs(file: string, since: number): number[] {
  if (!existsSync(file)) return []
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .filter(([at = 0]) => at >= since)
    .map(([, stallMs = 0]) => stallMs)
    .toSorted((a, b) => b - a)
}
