// Sends tokens that arrive in the same tick in one write: replies with something to write are collected and flushed together once the work
// of the current tick is done.

interface Flushable {
  flush(): void
}

let waiting: Flushable[] = []

/** Call once per reply and tick. */
export function flushSoon(reply: Flushable): void {
  if (waiting.push(reply) === 1) queueMicrotask(flushAll)
}

function flushAll(): void {
  const replies = waiting
  waiting = []
  for (const reply of replies) reply.flush()
}
