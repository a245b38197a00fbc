import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BatchLoop } from './batch-loop.ts'
import type { Native, NativeContext, Token } from '../native/native.ts'
import { startGreedy, type GreedyOptions } from '../testing/greedy-generation.ts'
import { replacing } from '../testing/replacing.ts'
import { loadTinyModel } from '../testing/tiny-model.ts'

let native: Native
beforeAll(async () => {
  native = await loadTinyModel({ slots: 4, contextLength: 2048 })
})
afterAll(() => native.dispose())

/** On a GPU, a loop always runs ahead. */
function openLoop(gpu: 'cuda' | false = 'cuda', context: NativeContext = native.context): BatchLoop {
  for (let slot = 0; slot < native.slots; slot++) native.context.disposeSequence(slot)
  return new BatchLoop(context, { ...native, gpu })
}

const tokenize = (text: string): Token[] => native.vocabulary.tokenize(text, true)
const prompt = (question: string) => tokenize(`<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`)
const STORY = 'Tell me a story.'

async function write(loop: BatchLoop, question: string, count: number): Promise<Token[]> {
  const run = startGreedy(native, loop, prompt(question), { count })
  await run.ended
  return run.tokens
}

/** The last decodes and reads of a reply, in order. */
async function lastCalls(gpu: 'cuda' | false, options: GreedyOptions): Promise<string[]> {
  const calls: string[] = []
  const decodeBatch = async () => {
    calls.push('decode')
    await native.context.decodeBatch()
    calls.push('decoded')
  }
  const loop = openLoop(gpu, replacing(native.context, { decodeBatch }))
  await startGreedy(native, loop, prompt(STORY), { ...options, onToken: () => calls.push('read') }).ended
  return calls.slice(-6)
}

describe('BatchLoop on a CPU', () => {
  it('reads a token while it is evaluated if reading has no surprises, and evaluates none in vain', async () => {
    const calls = await lastCalls(false, { count: 3, hasNoSurprises: true })
    expect(calls).toEqual(['read', 'decoded', 'decode', 'read', 'decoded', 'read'])
  })

  it('reads a token before it is evaluated if it may end the reply', async () => {
    const calls = await lastCalls(false, { count: 3 })
    expect(calls).toEqual(['decode', 'decoded', 'read', 'decode', 'decoded', 'read'])
  })

  it('writes the same either way, alone and next to others, and leaves the same tokens in its slot', async () => {
    const writeAllOf = async (hasNoSurprises: boolean) => {
      const loop = openLoop(false)
      const run = (question: string) =>
        startGreedy(native, loop, prompt(question), { count: 40, hasNoSurprises, isRepeatable: true })
      const alone = run(STORY)
      await alone.ended
      const runs = [STORY, 'Hello', 'Count from 1 to 9.'].map(run)
      await Promise.all(runs.map(({ ended }) => ended))
      const next = startGreedy(native, loop, [...alone.prompt, ...alone.tokens, ...tokenize(' Rome')])
      await next.ended
      return { texts: [alone, ...runs, next].map(({ tokens }) => tokens), reused: next.reused }
    }
    expect(await writeAllOf(true)).toEqual(await writeAllOf(false))
  })
})

describe('BatchLoop on a GPU', () => {
  it('reads a token while it is evaluated', async () => {
    const calls = await lastCalls('cuda', { count: 2 })
    expect(calls).toEqual(['decode', 'read', 'decoded', 'decode', 'read', 'decoded'])
  })

  it('writes the same as without running ahead, alone and next to others', async () => {
    const expected = await write(openLoop(false), STORY, 48)
    const loop = openLoop()
    expect(await write(loop, STORY, 48)).toEqual(expected)
    const others = ['Hello', 'Count from 1 to 9.', 'Say hi in Japanese.'].map((question) => write(loop, question, 30))
    const [beside] = await Promise.all([write(loop, STORY, 48), ...others])
    expect(beside).toEqual(expected)
  })

  it('continues after tokens that were inserted', async () => {
    const inserted = tokenize(' Rome Oslo')
    const writeWith = async (gpu: 'cuda' | false) => {
      const run = startGreedy(native, openLoop(gpu), prompt(STORY), { count: 12 })
      const next = run.next.bind(run)
      run.next = async (drawn) => {
        const tokens = await next(drawn)
        return run.tokens.length === 4 ? [...tokens, ...inserted] : tokens
      }
      await run.ended
      return run.tokens
    }
    const expected = await writeWith(false)
    expect(await writeWith('cuda')).toEqual(expected)
    expect(await write(openLoop(), STORY, 12)).not.toEqual(expected)
  })

  it('frees the slot of a reply that ended, or failed, while its last token was evaluated', async () => {
    const loop = openLoop()
    const failing = startGreedy(native, loop, prompt('Hello'), { count: 20 })
    failing.next = () => Promise.reject(new Error('no words'))
    const others = Array.from({ length: 8 }, () => write(loop, STORY, 5))
    await expect(failing.ended).rejects.toThrow('no words')
    const replies = await Promise.all(others)
    for (const tokens of replies) expect(tokens).toEqual(replies[0])
    expect(replies[0]).toHaveLength(5)
    expect(loop.isIdle).toBe(true)
  })

  it('[U25] keeps the token of a paused generation until it resumes', async () => {
    const loop = openLoop()
    const run = startGreedy(native, loop, prompt(STORY), {
      count: 20,
      onToken: () => run.tokens.length === 5 && loop.pause(run, true),
    })
    const other = await write(loop, STORY, 30)
    expect(run.tokens).toHaveLength(5)
    loop.pause(run, false)
    await run.ended
    expect(run.tokens).toEqual(other.slice(0, 20))
  })
})
