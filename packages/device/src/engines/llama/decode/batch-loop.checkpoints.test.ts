import { beforeAll, describe, expect, it } from 'vitest'
import type { Native, Token } from '../native/native.ts'
import { expectGreedy } from '../testing/expect-greedy.ts'
import { openLoop, startGreedy, type GreedyRun } from '../testing/greedy-generation.ts'
import { loadRandomModel } from '../testing/load-random-model.ts'
import { loadTinyModel } from '../testing/tiny-model.ts'
import type { BatchLoop } from './batch-loop.ts'
import { createCheckpoints } from './slots/checkpoints.ts'

// One of each kind. All architectures take part in the random conversations of the long run.
const KINDS = [
  ['a model that keeps all its tokens', 'llama'],
  ['a model with a running state', 'qwen35'],
  ['a model with nothing but a running state', 'mamba2'],
  ['a model that keeps only a window of tokens', 'gemma3'],
] as const

function openCheckpointedLoop(native: Native): BatchLoop {
  return openLoop(native, { checkpoints: createCheckpoints(native) })
}

describe.each(KINDS)('BatchLoop on %s (%s)', (_, architecture) => {
  let native: Native
  beforeAll(async () => {
    if (architecture === 'llama') {
      native = await loadTinyModel({ slots: 4, contextLength: 2048 })
      return () => native.dispose()
    }
    const model = await loadRandomModel(architecture, 4, 2048)
    native = model.native
    return model.release
  })
  // A window may still have what it takes to go back by a few more tokens than to the last checkpoint.
  const needsCheckpoints = !['llama', 'gemma3'].includes(architecture)
  const expectReuse = (reused: number, length: number) =>
    needsCheckpoints ? expect(reused).toBe(length) : expect(reused).toBeGreaterThanOrEqual(length)

  const tokenize = (text: string): Token[] => native.vocabulary.tokenize(text, true)
  const message = (role: string, words: string, times = 1) =>
    tokenize(`<|im_start|>${role}\n${words.repeat(times)}<|im_end|>\n`)
  const header = () => tokenize('<|im_start|>assistant\n')
  const thinking = () => tokenize('<|im_start|>assistant\n<think>\n')

  async function write(loop: BatchLoop, prompt: readonly Token[], count = 12): Promise<GreedyRun> {
    const run = startGreedy(native, loop, prompt, { count })
    await run.ended
    return run
  }

  it('evaluates only the new tokens of the next turn', async () => {
    const loop = openCheckpointedLoop(native)
    const first = [...message('user', 'Paris Rome Oslo ', 60), ...header()]
    const { tokens } = await write(loop, first, 6)
    const evaluated = loop.counts.promptTokens
    const known = [...first, ...tokens.slice(0, -1)]
    const next = [...known, ...message('user', 'Hello'), ...header()]
    const second = await write(loop, next)
    expect(second.reused).toBe(known.length)
    expect(loop.counts.promptTokens - evaluated).toBe(next.length - known.length)
    await expectGreedy(native, second)
  })

  it('evaluates almost nothing of a repeated prompt, even after a long reply', async () => {
    const loop = openCheckpointedLoop(native)
    const prompt = [...message('user', 'Lima Cairo ', 60), ...header()]
    await write(loop, prompt, 40)
    const again = await write(loop, prompt, 40)
    expectReuse(again.reused, prompt.length - header().length)
    await expectGreedy(native, again)
  })

  it('goes back several turns, in the same slot and in another', async () => {
    const asked = message('user', 'Paris Rome Oslo ', 60)
    const later = [...asked, ...header(), ...message('user', 'Lima Cairo ', 450), ...header()]
    const changed = ['Count. ', 'Sing. '].map((words) => [...asked, ...message('user', words), ...header()])
    for (const slots of [1, native.slots]) {
      const loop = openCheckpointedLoop({ ...native, slots })
      await write(loop, [...asked, ...thinking()])
      await write(loop, later)
      const runs = [await write(loop, changed[0]!), await write(loop, changed[1]!)]
      for (const run of runs) {
        expectReuse(run.reused, asked.length)
        await expectGreedy(native, run)
      }
    }
  })

  it('evaluates the prompt of several choices once', async () => {
    const loop = openCheckpointedLoop(native)
    const prompt = [...message('user', 'Paris Rome Oslo ', 60), ...header()]
    const leader = startGreedy(native, loop, prompt, { count: 10 })
    const followers = Array.from({ length: 6 }, () => startGreedy(native, loop, prompt, { count: 10, leader }))
    await Promise.all([leader, ...followers].map(({ ended }) => ended))
    const own = architecture === 'llama' ? 1 : header().length
    expectReuse(-loop.counts.promptTokens, -prompt.length - followers.length * own)
    for (const run of [leader, ...followers]) await expectGreedy(native, run)
  })

  it('ends a canceled generation before the next step, even during its prompt, and continues it later', async () => {
    const loop = openCheckpointedLoop(native)
    const prompt = [...message('user', 'Paris Rome Oslo ', 200), ...header()]
    const run = startGreedy(native, loop, prompt)
    const { promise, resolve } = Promise.withResolvers<number>()
    run.onPrompt = resolve
    const done = await promise
    loop.cancel(run)
    const { decodes } = loop.counts
    await run.ended
    expect(loop.counts.decodes - decodes).toBeLessThanOrEqual(1)
    expect(run.tokens).toEqual([])
    const after = await write(loop, prompt)
    expect(done).toBeLessThan(prompt.length)
    expect(after.reused).toBeGreaterThanOrEqual(done)
    await expectGreedy(native, after)
  })
})
