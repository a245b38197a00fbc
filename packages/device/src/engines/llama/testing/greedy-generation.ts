// The simplest generation: takes the likeliest token, `count` times.

import type { BatchLoop } from '../decode/batch-loop.ts'
import type { Drawn, Generation } from '../decode/generation.ts'
import type { Native, Token } from '../native/native.ts'
import { Sampler } from '../decode/sampler.ts'

export interface GreedyRun extends Generation {
  readonly tokens: Token[]
  readonly reused: number
  /** Resolves at the end of the generation. */
  readonly ended: Promise<void>
}

export function startGreedy(
  native: Native,
  loop: BatchLoop,
  prompt: readonly Token[],
  options: { count?: number; leader?: Generation; onToken?: (token: Token) => void } = {},
): GreedyRun {
  const sampler = new Sampler(native, { temperature: 0 }, 1)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const tokens: Token[] = []
  const run = {
    prompt,
    tokens,
    reused: -1,
    ended: promise,
    ...(options.leader === undefined ? {} : { leader: options.leader }),
    onStart: (reused: number) => void (run.reused = reused),
    onPrompt: () => undefined,
    draw: async (at: number) => ({ token: await sampler.draw(at) }),
    endsAt: (token: Token) => native.vocabulary.isEnd(token),
    async next({ token }: Drawn) {
      tokens.push(token)
      options.onToken?.(token)
      return tokens.length >= (options.count ?? 8) || native.vocabulary.isEnd(token) ? [] : [token]
    },
    onEnd(error?: unknown) {
      sampler.dispose()
      if (error === undefined) resolve()
      else reject(error)
    },
  }
  loop.submit(run)
  return run
}
