// Concurrent jobs, cancellation, and stopping the engine.

import type { ChatEvent } from '@hearth/protocol'
import type { Harness } from '../testing/harness.ts'
import { expect, it } from 'vitest'
import { EngineError } from '../engine.ts'
import { askEngine, toReply } from '../testing/collect-reply.ts'
import { seenOf } from '../testing/cut-reply.ts'

export function itAnnounces({ engine, model: name, features }: Harness): void {
  it('announces its model with exactly the features that work', () => {
    const [model] = engine().models()
    expect(model).toMatchObject({ name })
    expect(new Set(model?.features)).toEqual(new Set(features))
    expect(model!.contextLength).toBeGreaterThan(0)
    expect(model!.slots).toBeGreaterThan(0)
  })
}

export function itRuns({ ask, engine, job, features, isSteady }: Harness): void {
  it('stops when it is aborted, with the signal’s reason, and goes on serving', async () => {
    const abort = new AbortController()
    const reason = new Error('enough')
    const stream = engine().run(job({ maxTokens: 400 }), abort.signal, () => undefined)
    const read = async () => {
      for await (const _ of stream) abort.abort(reason)
    }
    await expect(read()).rejects.toBe(reason)
    expect((await ask({ maxTokens: 3 })).text).not.toBe('')
  })

  it('stops when its reader leaves, and its slot takes other jobs', async () => {
    for (let time = 0; time < engine().models()[0]!.slots + 1; time++)
      for await (const event of engine().run(job({ maxTokens: 400 }), AbortSignal.timeout(240_000), () => undefined))
        if (event.type === 'text') break
    expect((await ask({ maxTokens: 3 })).text).not.toBe('')
  })

  it('runs more jobs than it has slots, each to its own end', async () => {
    const lengths = Array.from({ length: engine().models()[0]!.slots * 2 + 1 }, (_, index) => (index % 20) + 1)
    const replies = await Promise.all(lengths.map((maxTokens) => ask({ maxTokens })))
    for (const [index, { usage, finishes }] of replies.entries()) {
      const [length, tokens] = [lengths[index]!, usage!.completionTokens]
      // Replies have more than twenty tokens. One whose ties fall differently may come to its own end before.
      if (isSteady || finishes[0] === 'length') expect(tokens).toBe(length)
      else expect(tokens).toBeLessThanOrEqual(length)
    }
  })

  it('loses nothing if its reader is slow', async () => {
    const asked = { maxTokens: 20, ...(features.includes('logprobs') && { logprobs: { top: 0 } }) }
    const events: ChatEvent[] = []
    for await (const event of engine().run(job(asked), AbortSignal.timeout(240_000), () => undefined)) {
      await new Promise((resolve) => setImmediate(resolve))
      events.push(event)
    }
    const slow = toReply(events)
    expect(slow.text).not.toBe('')
    if (features.includes('logprobs')) expect(slow.logprobs).toHaveLength(slow.usage!.completionTokens)
    if (isSteady) expect(seenOf(slow)).toEqual(seenOf(await ask(asked)))
  })

  it('rejects a model it doesn’t have', async () => {
    const refused = async () => askEngine(engine(), job({ model: 'no-such-model' }))
    await expect(refused()).rejects.toBeInstanceOf(EngineError)
  })
}

export function itStops({ create, job }: Harness): void {
  it('ends its jobs when it is stopped, and serves nothing after that', async () => {
    const last = create()
    await last.start(AbortSignal.timeout(240_000))
    const reading = askEngine(last, job({ maxTokens: 100_000, temperature: 1.8 }), AbortSignal.timeout(240_000))
    await expect(Promise.race([reading, last.stop().then(() => reading)])).rejects.toMatchObject({ retryable: true })
    expect(last.models()).toEqual([])
  })
}
