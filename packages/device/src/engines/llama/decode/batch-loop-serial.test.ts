import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BatchLoop } from './batch-loop.ts'
import type { Native, NativeContext } from '../native/native.ts'
import { startGreedy } from '../testing/greedy-generation.ts'
import { loadTinyModel } from '../testing/tiny-model.ts'

let native: Native
beforeAll(async () => {
  native = await loadTinyModel({ slots: 2, contextLength: 512 })
})
afterAll(() => native.dispose())

type Call = 'decode' | 'draw' | 'decoded' | 'drawn'

/** Lets native calls wait for each other, as in an engine's own process, and records them. */
function openSerial(options: { fails?: boolean } = {}): { native: Native; calls: Call[] } {
  const calls: Call[] = []
  let last: Promise<unknown> = Promise.resolve()
  const queue = <Result>(name: 'decode' | 'draw', call: () => Promise<Result>): Promise<Result> => {
    calls.push(name)
    const result = last.then(call).finally(() => calls.push(name === 'decode' ? 'decoded' : 'drawn'))
    last = result.catch(() => undefined)
    return result
  }
  const decode = () => (options.fails ? Promise.reject(new Error('no room')) : native.context.decodeBatch())
  const replaced: Partial<NativeContext> = {
    decodeBatch: () => queue('decode', decode),
    sampleToken: ((at, sampler) =>
      queue('draw', () => native.context.sampleToken(at, sampler))) as NativeContext['sampleToken'],
  }
  const context = new Proxy(native.context, {
    get: (target, name) => {
      const value: unknown = Reflect.get(replaced, name) ?? Reflect.get(target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
  for (let slot = 0; slot < native.slots; slot++) native.context.disposeSequence(slot)
  return { native: { ...native, context, isSerial: true }, calls }
}

const prompt = (question: string) =>
  native.vocabulary.tokenize(`<|im_start|>user\n${question}<|im_end|>\n<|im_start|>assistant\n`, true)

describe('BatchLoop with one native thread', () => {
  it('[W1] replies as with several', async () => {
    const several = new BatchLoop(native.context, native)
    const expected = startGreedy(native, several, prompt('Tell me a story.'), { count: 20 })
    await expected.ended
    const serial = openSerial()
    const loop = new BatchLoop(serial.native.context, serial.native)
    const runs = ['Tell me a story.', 'Hello'].map((question) =>
      startGreedy(serial.native, loop, prompt(question), { count: 20 }),
    )
    await Promise.all(runs.map(({ ended }) => ended))
    expect(runs[0]!.tokens).toEqual(expected.tokens)
  })

  it('[W30b] queues the draws of a step behind its decode, without waiting for it', async () => {
    const serial = openSerial()
    const loop = new BatchLoop(serial.native.context, serial.native)
    await startGreedy(serial.native, loop, prompt('Hello').slice(0, 1), { count: 2 }).ended
    expect(serial.calls).toEqual(['decode', 'draw', 'decoded', 'drawn', 'decode', 'draw', 'decoded', 'drawn'])
  })

  it('[W36d] fails the jobs of a failed decode after their draws are over, and shows none of them', async () => {
    const serial = openSerial({ fails: true })
    const loop = new BatchLoop(serial.native.context, serial.native)
    const run = startGreedy(serial.native, loop, prompt('Hello').slice(0, 1))
    await expect(run.ended).rejects.toThrow('no room')
    expect(run.tokens).toEqual([])
    expect(serial.calls).toEqual(['decode', 'draw', 'decoded', 'drawn'])
  })
})
