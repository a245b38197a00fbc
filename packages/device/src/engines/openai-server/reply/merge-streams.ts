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
      const { index, step } = await Promise.race(pending.values())
      if (step.done === true) {
        results[index] = step.value
        pending.delete(index)
      } else {
        pending.set(index, next(streams[index]!, index))
        yield step.value
      }
    }
    return results
  } finally {
    close()
    await Promise.allSettled([...pending].map(([index, step]) => step.then(() => streams[index]!.return(undefined!))))
  }
}

async function next<Event, Result>(stream: AsyncGenerator<Event, Result>, index: number) {
  return { index, step: await stream.next() }
}
