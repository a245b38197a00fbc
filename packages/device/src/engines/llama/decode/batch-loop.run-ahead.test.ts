import { describe, expect, it } from 'vitest'
import type { BatchLoop } from './batch-loop.ts'
import type { Token } from '../native/native.ts'
import { noting, openLoop, promptFor, startGreedy, type GreedyOptions } from '../testing/greedy-generation.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 4, contextLength: 2048 })

/** On a GPU, a loop always runs ahead. */
const open = (gpu: 'cuda' | false = 'cuda', context = native.context) => openLoop(native, { gpu }, context)

const tokenize = (text: string): Token[] => native.vocabulary.tokenize(text, true)
const prompt = (question: string) => promptFor(native, question)
const STORY = 'Tell me a story.'

async function write(loop: BatchLoop, question: string, count: number): Promise<Token[]> {
  const run = startGreedy(native, loop, prompt(question), { count })
  await run.ended
  return run.tokens
}

/** The last decodes and reads of a reply, in order. */
async function lastCalls(gpu: 'cuda' | false, options: GreedyOptions): Promise<string[]> {
  const calls: string[] = []
  const loop = open(gpu, noting(calls, native.context))
  await startGreedy(native, loop, prompt(STORY), { ...options, onToken: () => calls.push('read') }).ended
  return calls.slice(-6)
}

describe('BatchLoop', () => {
  const inTurn = ['decode', 'decoded', 'read', 'decode', 'decoded', 'read']
  const ahead = ['decode', 'read', 'decoded', 'decode', 'read', 'decoded']
  const aheadToTheEnd = ['read', 'decoded', 'decode', 'read', 'decoded', 'read']
  it.each<[string, 'cuda' | false, GreedyOptions, string[]]>([
    ['before it is evaluated if it may end the reply', false, { count: 3 }, inTurn],
    [
      'meanwhile if that has no surprises, and evaluates none in vain',
      false,
      { count: 3, hasNoSurprises: true },
      aheadToTheEnd,
    ],
    ['meanwhile on a GPU', 'cuda', { count: 2 }, ahead],
  ])('reads a token %s', async (_, gpu, options, calls) => {
    expect(await lastCalls(gpu, options)).toEqual(calls)
  })
})

describe('BatchLoop on a CPU', () => {
  it('writes the same either way, alone and next to others, and leaves the same tokens in its slot', async () => {
    const writeAllOf = async (hasNoSurprises: boolean) => {
      const loop = open(false)
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
  it('writes the same as without running ahead, alone and next to others', async () => {
    const expected = await write(open(false), STORY, 48)
    const loop = open()
    expect(await write(loop, STORY, 48)).toEqual(expected)
    const others = ['Hello', 'Count from 1 to 9.', 'Say hi in Japanese.'].map((question) => write(loop, question, 30))
    const [beside] = await Promise.all([write(loop, STORY, 48), ...others])
    expect(beside).toEqual(expected)
  })

  it('continues after tokens that were inserted', async () => {
    const inserted = tokenize(' Rome Oslo')
    const writeWith = async (gpu: 'cuda' | false) => {
      const run = startGreedy(native, open(gpu), prompt(STORY), { count: 12 })
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
    expect(await write(open(), STORY, 12)).not.toEqual(expected)
  })

  it('frees the slot of a reply that ended, or failed, while its last token was evaluated', async () => {
    const loop = open()
    const failing = startGreedy(native, loop, prompt('Hello'), { count: 20 })
    failing.next = () => Promise.reject(new Error('no words'))
    const others = Array.from({ length: 8 }, () => write(loop, STORY, 5))
    await expect(failing.ended).rejects.toThrow('no words')
    const replies = await Promise.all(others)
    for (const tokens of replies) expect(tokens).toEqual(replies[0])
    expect(replies[0]).toHaveLength(5)
    expect(loop.isIdle).toBe(true)
  })
})
