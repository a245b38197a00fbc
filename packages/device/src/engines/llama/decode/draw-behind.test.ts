// Where native calls run in the order in which they are made, the first draws of a step are queued behind its decode.

import { describe, expect, it } from 'vitest'
import type { NativeContext } from '../native/native.ts'
import { openLoop, promptFor, startGreedy, writeAll } from '../testing/greedy-generation.ts'
import { replacing } from '../testing/replacing.ts'
import type { BatchLoopOptions } from './batch-loop.ts'
import { Sampler } from './sampling/sampler.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 4, contextLength: 2048 })

const prompt = (question: string) => promptFor(native, question)
const QUESTIONS = ['Tell me a story.', 'Hello', 'Count from 1 to 9.']

/** Native calls as one thread makes them. `calls` tells when they are made and when decodes have ended. */
function inOrder(calls: string[] = [], decode = () => native.context.decodeBatch()): NativeContext {
  let last: Promise<unknown> = Promise.resolve()
  const queue = <Result>(call: () => Promise<Result>): Promise<Result> => {
    const result = last.then(call)
    last = result.catch(() => undefined)
    return result
  }
  const decodeBatch = () => (calls.push('decode'), queue(decode).finally(() => calls.push('decoded')))
  const sampleToken = (...drawn: Parameters<NativeContext['sampleToken']>) => (
    calls.push('draw'),
    queue(() => native.context.sampleToken(...drawn))
  )
  return replacing(native.context, { decodeBatch, sampleToken })
}

/** A loop, and a model whose draws go the same way. */
function open(context: NativeContext, options: Partial<BatchLoopOptions> = {}) {
  return { loop: openLoop(native, { callsInOrder: true, ...options }, context), model: { ...native, context } }
}

describe('drawing behind a decode', () => {
  it('is queued before the decode has ended', async () => {
    const calls: string[] = []
    const { loop, model } = open(inOrder(calls), { guessing: 'never' })
    await startGreedy(model, loop, prompt('Hello'), { count: 3, hasNoSurprises: true }).ended
    expect(calls.slice(-6)).toEqual(['decode', 'draw', 'decoded', 'decode', 'draw', 'decoded'])
  })

  it.each(['never', 'auto', 'always'] as const)('writes the same, greedy and drawn, guessing %s', async (guessing) => {
    const write = async (callsInOrder: boolean, temperature: number) => {
      const { loop, model } = open(inOrder(), { callsInOrder, guessing })
      const options = () => ({ hasNoSurprises: true, sampler: new Sampler(model, { temperature }, 7) })
      const alone = await writeAll(model, loop, [prompt(QUESTIONS[0]!)], options)
      return [...alone, ...(await writeAll(model, loop, QUESTIONS.map(prompt), options))]
    }
    for (const temperature of [0, 1]) expect(await write(true, temperature)).toEqual(await write(false, temperature))
  })

  it('[W36] of a decode that fails ends before its sampler is disposed, and the loop goes on', async () => {
    let decodes = 0
    const events: string[] = []
    const fail = () => (events.push('failed'), Promise.reject(new Error('no luck')))
    const context = inOrder([], () => (++decodes === 4 ? fail() : native.context.decodeBatch()))
    const { loop, model } = open(context)
    const bad = startGreedy(model, loop, prompt('Hello'), { count: 20, hasNoSurprises: true })
    const [draw, onEnd] = [bad.draw.bind(bad), bad.onEnd.bind(bad)]
    bad.draw = (at) => draw(at).finally(() => events.push('drawn'))
    bad.onEnd = (error) => (events.push('ended'), onEnd(error))
    await expect(bad.ended).rejects.toThrow('no luck')
    expect(events.slice(-3)).toEqual(['failed', 'drawn', 'ended'])
    const good = startGreedy(model, loop, prompt('Hello'), { count: 5 })
    await good.ended
    expect(good.tokens).toHaveLength(5)
  })
})
