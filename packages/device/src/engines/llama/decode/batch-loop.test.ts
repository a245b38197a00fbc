import { availableParallelism } from 'node:os'
import { describe, expect, it } from 'vitest'
import type { BatchLoop } from './batch-loop.ts'
import type { Token } from '../native/native.ts'
import { readLogits } from '../testing/evaluate-prompt.ts'
import { noting, openLoop, promptFor, startGreedy } from '../testing/greedy-generation.ts'
import { replacing } from '../testing/replacing.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 4, contextLength: 2048 })

/** All logits after the prompt, as a reply at temperature 0 sees them. */
async function logitsAfter(loop: BatchLoop, tokens: readonly Token[]): Promise<[Token, number][]> {
  let logits: [Token, number][] = []
  const onDraw = async (at: number) => void (logits = [...(await readLogits(native, at))])
  await startGreedy(native, loop, tokens, { count: 1, isRepeatable: true, onDraw }).ended
  return logits
}

const prompt = (question: string) => promptFor(native, question)
const longPrompt = (words: number) =>
  prompt(`${'Paris Rome Oslo Lima Cairo '.repeat(words / 5)}What is the capital of Peru?`)

/** Every decode takes this long. */
function clockWith(stepMs: number): () => number {
  let nowMs = 0
  return () => (nowMs += stepMs)
}

describe('BatchLoop', () => {
  it('continues a prompt the same way alone, repeated and next to others', async () => {
    const loop = openLoop(native)
    const system = native.vocabulary.tokenize('<|im_start|>system\nYou are a helpful assistant.<|im_end|>\n', true)
    const story = [...system, ...prompt('Tell me a story.')]
    const alone = startGreedy(native, loop, story, { count: 48 })
    await alone.ended
    const again = startGreedy(native, loop, story, { count: 48 })
    await again.ended
    const others = ['Hello', 'Count from 1 to 9.', 'Say hi in Japanese.'].map((question) =>
      startGreedy(native, loop, prompt(question), { count: 48 }),
    )
    const beside = startGreedy(native, loop, story, { count: 48 })
    await Promise.all([beside.ended, ...others.map(({ ended }) => ended)])
    expect(alone.tokens.length).toBeGreaterThan(20)
    expect(again.tokens).toEqual(alone.tokens)
    expect(beside.tokens).toEqual(alone.tokens)
    expect(again.reused).toBe(story.length - 1)
  })

  it('computes a long prompt with the same numbers however fast it is, and whatever is in memory', async () => {
    const tokens = longPrompt(100)
    const slow = openLoop(native, { now: clockWith(1_000) })
    const numbers = await logitsAfter(slow, tokens)
    expect(await logitsAfter(slow, tokens)).toEqual(numbers)
    const fast = openLoop(native, { now: clockWith(0) })
    await startGreedy(native, fast, longPrompt(300), { count: 1 }).ended
    expect(await logitsAfter(fast, tokens)).toEqual(numbers)
    const other = openLoop(native)
    for (let slot = 0; slot < native.slots; slot++)
      await startGreedy(native, other, tokens.slice(0, -40 - slot), { count: 1 }).ended
    expect(await logitsAfter(other, tokens)).toEqual(numbers)
  })

  it('decodes running generations in shared batches', async () => {
    const loop = openLoop(native)
    const runs = ['a', 'b', 'c', 'd'].map((question) => startGreedy(native, loop, prompt(question), { count: 10 }))
    await Promise.all(runs.map(({ ended }) => ended))
    const tokens = runs.reduce((sum, run) => sum + run.tokens.length, 0)
    expect(loop.counts.decodes).toBeLessThan(tokens / 2)
  })

  it('gives running streams a token in each step while a long prompt is evaluated', async () => {
    const loop = openLoop(native)
    const order: string[] = []
    const stream = startGreedy(native, loop, prompt('Tell me a story.'), {
      count: 40,
      onToken: () => order.push('stream'),
    })
    await new Promise((resolve) => setImmediate(resolve))
    const long = startGreedy(native, loop, longPrompt(400), { count: 1, onToken: () => order.push('long') })
    await Promise.all([stream.ended, long.ended])
    const before = order.slice(0, order.indexOf('long')).length
    expect(before).toBeGreaterThan(1)
    expect(loop.counts.decodes).toBeLessThanOrEqual(order.length + 2)
  })

  it.each([false, 'cuda'] as const)('gives a paused generation no tokens until it resumes (gpu: %s)', async (gpu) => {
    const loop = openLoop(native, { gpu })
    const run = startGreedy(native, loop, prompt('Tell me a story.'), {
      count: 20,
      onToken: () => run.tokens.length === 5 && loop.pause(run, true),
    })
    const other = startGreedy(native, loop, prompt('Tell me a story.'), { count: 30 })
    await other.ended
    expect(run.tokens).toHaveLength(5)
    loop.pause(run, false)
    await run.ended
    expect(run.tokens).toEqual(other.tokens.slice(0, 20))
  })

  it('sends the results of a step while the next one is decoded', async () => {
    const calls: string[] = []
    const loop = openLoop(native, { onStep: () => calls.push('send') }, noting(calls, native.context))
    await startGreedy(native, loop, prompt('Hello'), { count: 2 }).ended
    expect(calls.slice(0, 6)).toEqual(['decode', 'send', 'decoded', 'decode', 'send', 'decoded'])
    await loop.stop()
    expect(calls.at(-1)).toBe('send')
  })

  it('sends them before a decode that takes all cores ends', async () => {
    let send = (): void => undefined
    const decodeBatch = async () => {
      const sent = new Promise<void>((resolve) => (send = resolve))
      await native.context.decodeBatch()
      await sent
    }
    const loop = openLoop(
      native,
      { threads: availableParallelism() + 1, onStep: () => send() },
      replacing(native.context, { decodeBatch }),
    )
    const run = startGreedy(native, loop, prompt('Hello'), { count: 2 })
    await run.ended
    expect(run.tokens).toHaveLength(2)
  })

  it('fails only the generations of a decode that failed, and goes on', async () => {
    const loop = openLoop(native)
    const bad = startGreedy(native, loop, [...prompt('Hello'), native.vocabulary.size + 5])
    await expect(bad.ended).rejects.toThrow()
    const good = startGreedy(native, loop, prompt('Hello'))
    await good.ended
    expect(good.tokens.length).toBeGreaterThan(3)
  })
})
