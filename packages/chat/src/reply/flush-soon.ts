// Sends tokens that arrive in the same tick in one write: replies with something to write are collected and flushed together once the work
// of the current tick is done.

import { gather } from '../gather.ts'

interface Flushable {
  flush(): void
}

/** Call once per reply and tick. */
export const flushSoon = gather<Flushable>(
  (takeAll) => queueMicrotask(takeAll),
  (reply) => reply.flush(),
)
