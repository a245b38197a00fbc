import type { ChatEvent } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { Choice } from './choice.ts'
import { prepareConstraints } from './constraints.ts'
import { buildPrompt } from './prompt.ts'
import { toReply } from '../../testing/collect-reply.ts'
import { cutReply } from '../../testing/cut-reply.ts'
import { greedy, useTinyEngine } from '../testing/tiny-engine.ts'

const tiny = await useTinyEngine({ slots: 2, contextLength: 512 })

/** Runs one choice whose thinking may take this many tokens. */
async function runWithBudget(thinkingBudget: number, rest: Parameters<typeof greedy>[1] = {}) {
  const { native, profile, loop, grammars } = tiny.parts
  const job = greedy('What is the capital of Peru?', { reasoningEffort: 'high', ...rest })
  const prompt = { ...(await buildPrompt(job, profile)), thinkingBudget }
  const constraints = await prepareConstraints(job, prompt, undefined, grammars)
  const events: ChatEvent[] = []
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const choice = new Choice(0, {
    native,
    profile,
    job,
    prompt,
    constraints,
    emit: (event) => events.push(event),
    onStart: () => undefined,
    onPrompt: () => undefined,
    onThinking: () => undefined,
    onEnd: resolve,
  })
  await choice.replay()
  if (choice.finish === undefined) loop.submit(choice)
  else choice.onEnd()
  expect(await promise).toBeUndefined()
  return { choice, events, text: toReply(events).text }
}

describe('a choice that thinks', () => {
  it('is made to reply once its thinking has used up its tokens', async () => {
    const free = await runWithBudget(Number.POSITIVE_INFINITY)
    const cut = await runWithBudget(3)
    expect(cut.choice.thinkingTokens).toBeLessThan(free.choice.thinkingTokens + 3)
    expect(cut.choice.finish).toBe('stop')
    expect(cut.text).not.toContain('think')
    expect(cut.text).not.toBe('')
  })

  it('follows its schema if its thinking is cut off', async () => {
    const responseFormat = { type: 'json_schema', name: 'a', schema: { enum: ['Lima', 'Rome'] } } as const
    const { text, choice } = await runWithBudget(2, { responseFormat })
    expect(['"Lima"', '"Rome"']).toContain(text)
    expect(choice.finish).toBe('stop')
  })

  it('[E48a] counts the tokens that end its thinking', async () => {
    const { choice } = await runWithBudget(2, { maxTokens: 4 })
    expect(choice.completionTokens).toBe(4)
    expect(choice.finish).toBe('length')
  })

  it('is continued on another device, before and after its thinking was cut off', async () => {
    const whole = await runWithBudget(18, { recovery: {} })
    expect(whole.events.filter((event) => event.type === 'text' && event.text === '').length).toBeGreaterThan(0)
    for (let count = 0; count < whole.events.length; count++) {
      const { sent, recovery } = cutReply(whole.events, count, 1)
      const rest = await runWithBudget(18, { recovery })
      expect([count, toReply([...sent, ...rest.events]).text]).toEqual([count, whole.text])
      expect(rest.choice.completionTokens).toBe(whole.choice.completionTokens)
      expect(rest.choice.thinkingTokens).toBe(whole.choice.thinkingTokens)
    }
  })
})

describe('a choice', () => {
  it('may end unexpectedly only at a stop sequence, and inserts tokens only if its thinking has a budget', async () => {
    const free = await runWithBudget(Number.POSITIVE_INFINITY)
    const stopped = await runWithBudget(Number.POSITIVE_INFINITY, { stop: ['Lima'] })
    const cut = await runWithBudget(3)
    expect([free, stopped, cut].map(({ choice }) => choice.hasNoSurprises)).toEqual([true, false, false])
  })
})
