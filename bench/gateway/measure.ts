// One measurement: puts a load on a system for a while and measures its CPU time.

import type { ChildProcess } from 'node:child_process'
import { nextMessage, startChild } from './child.ts'
import type { LoadOrder, LoadResult } from './load.ts'
import { cpuMicros } from './process-facts.ts'
import type { System } from '../systems/system.ts'

export interface Measurement extends LoadResult {
  cpuMicrosPerRequest: number
}

let loader: ChildProcess | undefined

export async function measure(
  system: System,
  order: Pick<LoadOrder, 'stream' | 'connections' | 'seconds'>,
): Promise<Measurement> {
  loader ??= startChild('load.ts')
  const before = cpuMicros(system.pids)
  const { port, path, headers, model } = system
  loader.send({ ...order, port, path, headers, model })
  const result = await nextMessage<LoadResult>(loader)
  return { ...result, cpuMicrosPerRequest: (cpuMicros(system.pids) - before) / result.requests }
}

export function stopMeasuring(): void {
  loader?.kill()
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
