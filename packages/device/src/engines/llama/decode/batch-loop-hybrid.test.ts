import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Native, Token } from '../native/native.ts'
import { startGreedy, type GreedyRun } from '../testing/greedy-generation.ts'
import { HYBRIDS, writeHybrid } from '../testing/hybrid-models.ts'
import { makeModelFile, type ModelFile } from '../testing/model-file.ts'
import { loadTinyModel } from '../testing/tiny-model.ts'
import { BatchLoop } from './batch-loop.ts'
import { createCheckpoints, type CheckpointLimits, type Checkpoints } from './checkpoints.ts'

describe.each(HYBRIDS)('BatchLoop on a hybrid model (%s)', (architecture) => {
  let file: ModelFile
  let native: Native
  beforeAll(async () => {
    file = makeModelFile((path) => writeHybrid(path, architecture))
    native = await loadTinyModel({ path: file.path, slots: 4, contextLength: 2048 })
  })
  afterAll(async () => {
    await native.dispose()
    file.remove()
  })

  function openLoop(limits: Partial<CheckpointLimits> = {}): { loop: BatchLoop; checkpoints: Checkpoints } {
    for (let slot = 0; slot < native.slots; slot++) native.context.disposeSequence(slot)
    const checkpoints = createCheckpoints(native, limits)!
    return { loop: new BatchLoop(native.context, { ...native, checkpoints }), checkpoints }
  }

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
  const writeAlone = (prompt: readonly Token[], count = 12) => write(openLoop().loop, prompt, count)

  it('[W31d] continues after a checkpoint exactly as without one', async () => {
    const asked = message('user', 'Paris Rome Oslo ', 60)
    const next = [...asked, ...header(), ...message('user', 'Count to three. '), ...thinking()]
    const alone = await writeAlone(next, 24)
    const { loop } = openLoop()
    await write(loop, [...asked, ...thinking()])
    const restored = await write(loop, next, 24)
    expect(restored.reused).toBe(asked.length)
    expect(restored.tokens).toEqual(alone.tokens)
  })

  it('[W31d] evaluates only the new tokens of the next turn', async () => {
    const { loop } = openLoop()
    const first = [...message('user', 'Paris Rome Oslo ', 60), ...header()]
    const { tokens } = await write(loop, first, 6)
    const evaluated = loop.counts.promptTokens
    const next = [...first, ...tokens.slice(0, 5), ...message('user', 'Hello'), ...header()]
    const second = await write(loop, next)
    expect(second.reused).toBe(first.length + 5)
    expect(loop.counts.promptTokens - evaluated).toBe(next.length - first.length - 5)
    expect(second.tokens).toEqual((await writeAlone(next)).tokens)
  })

  it('[W31d] evaluates almost nothing of a repeated prompt, even after a long reply', async () => {
    const { loop } = openLoop()
    const prompt = [...message('user', 'Lima Cairo ', 60), ...header()]
    const once = await write(loop, prompt, 40)
    const again = await write(loop, prompt, 40)
    expect(again.reused).toBe(prompt.length - header().length)
    expect(again.tokens).toEqual(once.tokens)
  })

  it('[W31d] shares long instructions between conversations', async () => {
    const { loop } = openLoop()
    const rules = message('system', 'Be brief and polite. ', 60)
    expect(rules.length).toBeGreaterThan(256)
    const ask = (words: string) => [...rules, ...message('user', words, 80), ...header()]
    await write(loop, ask('Paris Rome '))
    const other = await write(loop, ask('Oslo Lima '))
    expect(other.reused).toBe(rules.length)
    expect(other.tokens).toEqual((await writeAlone(ask('Oslo Lima '))).tokens)
  })

  it('[W8] [W31d] evaluates the prompt of several choices once', async () => {
    const { loop } = openLoop()
    const prompt = [...message('user', 'Paris Rome Oslo ', 60), ...header()]
    const leader = startGreedy(native, loop, prompt, { count: 10 })
    const followers = Array.from({ length: 6 }, () => startGreedy(native, loop, prompt, { count: 10, leader }))
    await Promise.all([leader, ...followers].map(({ ended }) => ended))
    for (const follower of followers) expect(follower.tokens).toEqual(leader.tokens)
    expect(loop.counts.promptTokens).toBe(prompt.length + followers.length * header().length)
    expect(leader.tokens).toEqual((await writeAlone(prompt, 10)).tokens)
  })

  it('[W1] [W31d] keeps conversations apart that take turns', async () => {
    const { loop } = openLoop()
    const asked = ['Paris ', 'Rome ', 'Oslo '].map((word) => message('user', word, 100))
    await Promise.all(asked.map((tokens) => write(loop, [...tokens, ...thinking()])))
    const next = asked.map((tokens) => [...tokens, ...header(), ...message('user', 'More. '), ...header()])
    const runs = await Promise.all(next.map((prompt) => write(loop, prompt)))
    expect(runs.map(({ reused }) => reused)).toEqual(asked.map(({ length }) => length))
    for (const [index, run] of runs.entries()) expect(run.tokens).toEqual((await writeAlone(next[index]!)).tokens)
  })

  it('[W32] [W31d] continues a prompt that was canceled in the middle', async () => {
    const { loop } = openLoop()
    const prompt = [...message('user', 'Paris Rome Oslo ', 200), ...header()]
    const run = startGreedy(native, loop, prompt)
    const { promise, resolve } = Promise.withResolvers<number>()
    run.onPrompt = resolve
    const done = await promise
    loop.cancel(run)
    await run.ended
    const after = await write(loop, prompt)
    expect(done).toBeLessThan(prompt.length)
    expect(after.reused).toBeGreaterThanOrEqual(done)
    expect(after.tokens).toEqual((await writeAlone(prompt)).tokens)
  })

  it('[W31e] stays within its memory, and replies the same without a checkpoint', async () => {
    const size = await sizeOfOne()
    const { loop, checkpoints } = openLoop({ bytes: size * 2 })
    const asked = ['Paris ', 'Rome ', 'Oslo ', 'Lima '].map((word) => message('user', word, 50))
    for (const tokens of asked) await write(loop, [...tokens, ...thinking()])
    expect([checkpoints.count, checkpoints.bytes]).toEqual([2, size * 2])
    const next = asked.map((tokens) => [...tokens, ...message('user', 'More. '), ...header()])
    const runs = await Promise.all(next.map((prompt) => write(loop, prompt)))
    expect(runs.slice(0, 2).map(({ reused }) => reused)).toEqual([0, 0])
    expect(checkpoints.bytes).toBe(size * 2)
    for (const [index, run] of runs.entries()) expect(run.tokens).toEqual((await writeAlone(next[index]!)).tokens)
  })

  async function sizeOfOne(): Promise<number> {
    const { loop, checkpoints } = openLoop()
    await write(loop, [...message('user', 'Hello'), ...header()], 1)
    return checkpoints.bytes
  }
})
