// The simplest generation: takes the likeliest token, `count` times, or draws with a sampler of the test.

import type { EngineScope } from '../../engine.ts'
import { BatchLoop, type BatchLoopOptions } from '../decode/batch-loop.ts'
import type { Drawn, Generation } from '../decode/generation.ts'
import type { Native, Token } from '../native/native.ts'
import { Sampler } from '../decode/sampling/sampler.ts'
import { replacing } from './replacing.ts'

export interface GreedyRun extends Generation {
  readonly tokens: Token[]
  readonly reused: number
  /** Resolves at the end of the generation. */
  readonly ended: Promise<void>
}

export interface GreedyOptions {
  count?: number
  leader?: Generation
  scope?: EngineScope
  isRepeatable?: boolean
  /** Says in time that it ends. */
  hasNoSurprises?: boolean
  /** Before the token at `at` is drawn. */
  onDraw?: (at: number) => Promise<void>
  onToken?: (token: Token) => void
  sampler?: Sampler
}

/** A loop with nothing in its slots. */
export function openLoop(native: Native, options: Partial<BatchLoopOptions> = {}, context = native.context): BatchLoop {
  for (let slot = 0; slot < native.slots; slot++) native.context.disposeSequence(slot)
  return new BatchLoop(context, { ...native, ...options })
}

/** The same context, which notes when its decodes begin and end. */
export function noting(calls: string[], context: Native['context']): Native['context'] {
  const decodeBatch = async () => {
    calls.push('decode')
    await context.decodeBatch()
    calls.push('decoded')
  }
  return replacing(context, { decodeBatch })
}

/** The prompt of the tiny model for a question. */
export function promptFor({ vocabulary }: Native, question: string): Token[] {
  return vocabulary.tokenize(`<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`, true)
}

export function startGreedy(
  native: Native,
  loop: BatchLoop,
  prompt: readonly Token[],
  options: GreedyOptions = {},
): GreedyRun {
  const sampler = options.sampler ?? new Sampler(native, { temperature: 0 }, 1)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const tokens: Token[] = []
  const run = {
    prompt,
    tokens,
    reused: -1,
    ended: promise,
    ...(options.leader === undefined ? {} : { leader: options.leader }),
    ...(options.scope === undefined ? {} : { scope: options.scope }),
    onStart: (reused: number) => void (run.reused = reused),
    onPrompt: () => undefined,
    isRepeatable: options.isRepeatable ?? false,
    hasNoSurprises: options.hasNoSurprises ?? false,
    async draw(at: number) {
      await options.onDraw?.(at)
      return { token: await sampler.draw(at) }
    },
    foresee: () => sampler.foresee(),
    endsAt: (token: Token) =>
      native.vocabulary.isEnd(token) || (options.hasNoSurprises === true && tokens.length + 1 >= (options.count ?? 8)),
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
