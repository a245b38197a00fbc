// One measurement: puts a load on a system for a while, from a process of its own.

import type { ChildProcess } from 'node:child_process'
import { nextMessage, startChild } from '../gateway/child.ts'
import type { LoadOrder, LoadResult } from '../gateway/load.ts'
import type { System } from '../systems/system.ts'

export type Measurement = LoadResult

let loader: ChildProcess | undefined

export async function measure(
  system: System,
  order: Pick<LoadOrder, 'stream' | 'connections' | 'seconds'>,
): Promise<Measurement> {
  loader ??= startChild('load.ts')
  const { port, path, headers, model, pids } = system
  loader.send({ ...order, port, path, headers, model, pids } satisfies LoadOrder)
  return nextMessage<LoadResult>(loader)
}

export function stopMeasuring(): void {
  loader?.kill()
}
