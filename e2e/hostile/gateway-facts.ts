// Facts about the gateway or another process, from the system: memory, and how long its event loop was busy with one thing.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

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

export interface TurnTimes extends ProcessorTimes {
  /** Of the process's main thread, in nanoseconds. */
  ran: number
  waited: number
}

export function turnTimes(pid: number): TurnTimes {
  const file = `/proc/${pid}/task/${pid}/schedstat`
  const [ran = 0, waited = 0] = existsSync(file) ? readFileSync(file, 'utf8').split(' ').map(Number) : []
  return { ...processorTimes(), ran, waited }
}

/** However busy the machine is, a turn that takes several times as long is too long. */
const MOST_SLOWNESS = 3

/**
 * How much longer turns of the process may have been since then than on a machine of its own: 1 if nobody else used it. A virtual machine
 * is slower while its host takes time away. And while a process waits for a processor, more work piles up for its next turn.
 */
export function slownessSince(then: TurnTimes, pid: number): number {
  const { busy, stolen, ran, waited } = turnTimes(pid)
  const byHost = 1 + (stolen - then.stolen) / Math.max(1, busy - then.busy)
  const byOthers = 1 + (waited - then.waited) / Math.max(1, ran - then.ran)
  return Math.min(MOST_SLOWNESS, Math.max(byHost, byOthers))
}

/** The value of `--import` for a Node process whose event loop is watched. All its turns are written into the folder. */
export function watchLoop(folder: string): string {
  const file = new URL('watch-loop.ts', import.meta.url)
  file.searchParams.set('into', folder)
  return file.href
}

/** Turns of a process's event loop since a moment, in milliseconds of CPU time, longest first. Throws if it isn't watched. */
export function loopStallsMs(folder: string, pid: number, since: number): number[] {
  return readFileSync(join(folder, String(pid)), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' ').map(Number))
    .filter(([at = 0]) => at >= since)
    .map(([, stallMs = 0]) => stallMs)
    .toSorted((a, b) => b - a)
}
