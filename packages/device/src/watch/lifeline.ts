// The pipe between the app and a process that it starts. Nobody holds its other end once the app is gone, however the app ended. A process that
// ends because it took too much says so here last.

import type { ChildProcess } from 'node:child_process'

/** Behind stdin, stdout, stderr and the channel for messages. */
export const LIFELINE_FD = 4

/** The limit that a process exceeded. */
export type Excess = 'time' | 'memory'

const WORDS: readonly Excess[] = ['time', 'memory']

/** The `stdio` of a process that ends with the one that starts it. */
export function withLifeline(stdout: 'ignore' | 'pipe', stderr: 'ignore' | 'pipe') {
  return ['ignore', stdout, stderr, 'ipc', 'pipe'] as const satisfies readonly string[]
}

/** Calls back at most once, before the child's `close`. */
export function hearLastWord({ stdio }: ChildProcess, onExcess: (excess: Excess) => void): void {
  const lifeline = stdio?.[LIFELINE_FD]
  // A process that dies breaks its pipe; its exit says everything.
  lifeline?.on('error', () => undefined)
  lifeline?.once('data', (chunk: Buffer) => {
    const excess = WORDS.find((word) => word === chunk.toString())
    if (excess !== undefined) onExcess(excess)
  })
}
