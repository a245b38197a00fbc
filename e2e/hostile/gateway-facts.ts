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

export interface ProcessorTimes {
  busy: number
  stolen: number
}

/** Of all processors since the machine started, in hundredths of a second. Only Linux tells them. */
export function processorTimes(): ProcessorTimes {
  if (!existsSync('/proc/stat')) return { busy: 0, stolen: 0 }
  const [first = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1)
  const [user = 0, nice = 0, system = 0, , , , , stolen = 0] = first.split(/\s+/).slice(1).map(Number)
  return { busy: user + nice + system, stolen }
}

/** How much slower a virtual machine was since then, because its host took time away: 1 if it took none. */
export function slownessSince(then: ProcessorTimes): number {
  const { busy, stolen } = processorTimes()
  return 1 + (stolen - then.stolen) / Math.max(1, busy - then.busy)
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
