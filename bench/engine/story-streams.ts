import type { System } from './system.ts'

interface Streams {
  /** When each of them got its tokens. */
  times: readonly (readonly number[])[]
  stop: () => Promise<void>
}

/** Three streams at once. Resolves when each has had more than `begun` tokens. */
export async function startStories(system: System, tokens: number, begun: number): Promise<Streams> {
  const abort = new AbortController()
  const haveBegun = Promise.withResolvers<void>()
  const times = Array.from({ length: 3 }, () => [] as number[])
  const running = times.map((own, index) =>
    system.answer({
      messages: [{ role: 'user', content: `Tell me story number ${index}` }],
      tokens,
      signal: abort.signal,
      onToken: (at) => {
        own.push(at)
        if (times.every(({ length }) => length > begun)) haveBegun.resolve()
      },
    }),
  )
  await haveBegun.promise
  return {
    times,
    stop: async () => {
      abort.abort()
      await Promise.all(running)
    },
  }
}
