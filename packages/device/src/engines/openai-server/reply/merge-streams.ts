// Merges several event streams into one, in order of arrival. It pulls a stream's next event only after the last one was consumed, so nothing
// piles up. If a stream fails or the consumer leaves the loop, it calls `close` to end the others.

export async function* mergeStreams<Event, Result>(
  streams: readonly AsyncGenerator<Event, Result>[],
  close: () => void,
): AsyncGenerator<Event, Result[]> {
  const results: Result[] = []
  const pending = new Map(streams.map((stream, index) => [index, next(stream, index)]))
  try {
    while (pending.size > 0) {
      const { stream, index, step } = await Promise.race(pending.values())
      if (step.done === true) {
        results[index] = step.value
        pending.delete(index)
      } else {
        pending.set(index, next(stream, index))
        yield step.value
      }
    }
    return results
  } finally {
    close()
    await Promise.allSettled(pending.values().map((step) => step.then(({ stream }) => stream[Symbol.asyncDispose]())))
  }
}

async function next<Event, Result>(stream: AsyncGenerator<Event, Result>, index: number) {
  return { stream, index, step: await stream.next() }
}
