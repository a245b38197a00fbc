// The model server that the peers proxy to, as a system of its own: the baseline of what the others add.

import { nextMessage, startChild, stopChild } from '../gateway/child.ts'
import type { System } from './system.ts'

export async function startUpstream(): Promise<System> {
  const child = startChild('upstream.ts')
  const { port } = await nextMessage<{ port: number }>(child)
  return {
    name: 'upstream',
    port,
    path: '/v1/chat/completions',
    headers: {},
    pids: [child.pid!],
    stop: () => stopChild(child),
  }
}
