import type { System } from '../systems/system.ts'
import type { StreamOrder } from '../gateway/hold-streams.ts'
import { nextMessage, startChild, stopChild } from '../gateway/child.ts'

export interface OpenStreams {
  /** Opens this many more. */
  open(streams: number): Promise<void>
  /** Closes all of them. */
  close(): Promise<void>
}

/** Clients of a system, in a process of their own. */
export function startClients({ port, path, headers, body }: System): OpenStreams {
  const child = startChild('hold-streams.ts')
  return {
    async open(streams) {
      child.send({ port, path, headers, body, streams } satisfies StreamOrder)
      await nextMessage(child)
    },
    close: () => stopChild(child),
  }
}
