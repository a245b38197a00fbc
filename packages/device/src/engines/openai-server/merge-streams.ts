// Several streams of events as one, in the order the events come. Each stream is asked for its next event only when the last one was taken,
// so nothing piles up. When one fails, or the loop is left, `close` is called to end what the others wait for.

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
