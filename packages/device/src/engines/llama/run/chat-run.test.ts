import type { ChatEvent, ChatJob } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { greedy, WEATHER, useTinyEngine } from '../testing/tiny-engine.ts'

const tiny = await useTinyEngine({ slots: 4, contextLength: 1024 })

/** Biases that keep a reply from ending by itself. */
function noEnd(): Record<string, number> {
  const ends = tiny.parts.native.vocabulary.tokenize('<|im_end|><|endoftext|>', true)
  return Object.fromEntries(ends.map((token) => [token, -100]))
}

function tokensOf(events: ChatEvent[]): number {
  return events.reduce((sum, event) => sum + (event.type === 'text' ? event.tokens! : 0), 0)
}

describe('a job on the tiny model', () => {
  it('replies with the model’s own template and counts exactly', async () => {
    const { texts, finishes, usage } = await tiny.ask('What is the capital of Italy?')
    const prompt = '<|im_start|>user\nWhat is the capital of Italy?<|im_end|>\n<|im_start|>assistant\n'
    const { vocabulary } = tiny.parts.native
    expect(texts).toEqual(['The capital of Italy is Rome.'])
    expect(finishes).toEqual(['stop'])
    expect(usage).toEqual({
      promptTokens: vocabulary.tokenize(prompt, true).length,
      completionTokens: vocabulary.tokenize('The capital of Italy is Rome.', true).length,
      cachedTokens: expect.any(Number) as number,
    })
  })

  it('[J99] joins characters that come byte by byte, and gives one entry per token', async () => {
    const asked = greedy('Say hi in Japanese.', { logprobs: { top: 1 } })
    const { texts, pieces, events, usage, logprobs } = await tiny.ask(asked)
    expect(texts).toEqual(['こんにちは 🙂'])
    expect(pieces).toEqual([...Array.from('こんにちは'), ' ', '🙂'])
    expect(tokensOf(events)).toBe(usage!.completionTokens)
    expect(logprobs).toHaveLength(20)
    expect(Buffer.from(logprobs.flatMap(({ bytes }) => bytes)).toString()).toBe('こんにちは 🙂')
    const [first] = events.filter((event) => event.type === 'text')
    expect(first).toMatchObject({ text: 'こ', logprobs: [{ bytes: [0xe3] }, { bytes: [0x81] }, { bytes: [0x93] }] })
  })

  it('[E52] keeps the entry of a token that a stop sequence cuts', async () => {
    const { texts, logprobs, usage } = await tiny.ask(
      greedy('Count from 1 to 9.', { stop: ['4 5'], logprobs: { top: 0 } }),
    )
    expect(texts).toEqual(['1 2 3 4 5'])
    expect(logprobs).toHaveLength(usage!.completionTokens)
  })

  it('bans and forces the end of the reply', async () => {
    const [end] = tiny.parts.native.vocabulary.tokenize('<|im_end|>', true) as [number]
    const endless = await tiny.ask(greedy('Hello', { logitBias: noEnd(), maxTokens: 50 }))
    expect(endless.finishes).toEqual(['length'])
    const silent = await tiny.ask(greedy('Hello', { logitBias: { [end]: 100 } }))
    expect(silent).toMatchObject({ texts: [''], finishes: ['stop'], usage: { completionTokens: 0 } })
  })

  it('[F71a] rejects a bias on a token that the model doesn’t have, and names it', async () => {
    const last = tiny.parts.native.vocabulary.size - 1
    const asking = (id: number) => tiny.ask(greedy('Hi', { logitBias: { [id]: 1 }, maxTokens: 1 }))
    await expect(asking(last + 1)).rejects.toMatchObject({
      code: 'invalid_value',
      param: 'logit_bias',
      message: `Invalid key in 'logit_bias': ${last + 1}. The token IDs of this model go from 0 to ${last}.`,
    })
    await expect(asking(last)).resolves.toBeDefined()
  })

  it('ends a complete JSON text even if ending is banned', async () => {
    const [end] = tiny.parts.native.vocabulary.tokenize('<|im_end|>', true) as [number]
    const responseFormat = { type: 'json_schema', name: 'x', schema: { const: 'done' } } as const
    const { texts, finishes } = await tiny.ask(greedy('Hello', { logitBias: { [end]: -100 }, responseFormat }))
    expect({ texts, finishes }).toEqual({ texts: ['"done"'], finishes: ['stop'] })
  })

  it('says how many prompt tokens it didn’t have to evaluate', async () => {
    const history: ChatJob['messages'] = [{ role: 'user', content: `${'Oslo Lima '.repeat(60)}Hello` }]
    const first = await tiny.ask({ messages: history })
    const next: ChatJob['messages'] = [
      ...history,
      { role: 'assistant', content: first.texts[0]! },
      { role: 'user', content: 'Count from 1 to 3.' },
    ]
    // At temperature 0, a processor may have to evaluate the end of the first prompt again.
    const { usage } = await tiny.ask({ messages: next, temperature: 1 })
    expect(usage!.cachedTokens).toBeGreaterThanOrEqual(first.usage!.promptTokens)
    expect(usage!.cachedTokens).toBeLessThan(usage!.promptTokens)
  })

  it('[I88b] tells an API key only about its own prompts, and separates them if asked to', async () => {
    const messages: ChatJob['messages'] = [{ role: 'user', content: `${'Cairo Rome '.repeat(60)}Hello` }]
    const ask = (prefixScope: ChatJob['prefixScope']) => tiny.ask({ messages, ...(prefixScope && { prefixScope }) })
    const evaluated = async (prefixScope: ChatJob['prefixScope']) => {
      const before = tiny.parts.loop.counts.promptTokens
      const { usage } = await ask(prefixScope)
      expect(usage).not.toHaveProperty('cachedTokens')
      return { own: usage!.ownCachedTokens, evaluated: tiny.parts.loop.counts.promptTokens - before }
    }
    const whole = (await ask({ name: 'ann' })).usage!.promptTokens
    expect(await evaluated({ name: 'bob' })).toEqual({ own: 0, evaluated: 1 })
    expect(await evaluated({ name: 'bob' })).toEqual({ own: whole - 1, evaluated: 1 })
    expect(await evaluated({ name: 'cleo', isSeparate: true })).toEqual({ own: 0, evaluated: whole })
    expect(await evaluated({ name: 'cleo', isSeparate: true })).toEqual({ own: whole - 1, evaluated: 1 })
  })

  it('[E48a] ends when its slot is full, if the limit is larger', async () => {
    const { finishes, usage } = await tiny.ask(greedy('Hello', { maxTokens: 100_000, logitBias: noEnd() }))
    expect(finishes).toEqual(['length'])
    expect(usage!.promptTokens + usage!.completionTokens).toBe(tiny.parts.native.contextLength)
  })
})

describe('tools on the tiny model', () => {
  it('makes the arguments fit the schema against the model’s will', async () => {
    const parameters = {
      type: 'object',
      properties: { city: { enum: ['Paris', 'Madrid'] }, days: { type: 'integer', minimum: 3, maximum: 5 } },
      required: ['city', 'days'],
    }
    const { calls } = await tiny.ask(greedy('What is the weather in Rome?', { tools: [{ ...WEATHER, parameters }] }))
    const args = JSON.parse(calls[0]!.arguments) as { city: string; days: number }
    expect(['Paris', 'Madrid']).toContain(args.city)
    expect([3, 4, 5]).toContain(args.days)
  })

  it('makes several calls at once, and keeps the complete ones of a reply that the token limit cut', async () => {
    const job = greedy('What is the weather in Rome and Lima?', { tools: [WEATHER] })
    const { usage, ...whole } = await tiny.ask(job)
    const called = whole.calls.map((call) => JSON.parse(call.arguments) as unknown)
    expect(called).toEqual([{ city: 'Rome' }, { city: 'Lima' }])
    expect(new Set(whole.calls.map(({ id }) => id)).size).toBe(2)
    expect(whole).toMatchObject({ finishes: ['tool_calls'], texts: [''] })
    const ends = new Set<string>()
    for (let maxTokens = 2; maxTokens < usage!.completionTokens; maxTokens++) {
      const { texts, calls, finishes } = await tiny.ask({ ...job, maxTokens })
      const cities = calls.map((call) => (JSON.parse(call.arguments) as { city: string }).city)
      expect({ texts, cities }).toEqual({ texts: [''], cities: ['Rome', 'Lima'].slice(0, calls.length) })
      ends.add(`${calls.length} ${finishes.join()}`)
    }
    // A call is complete a few tokens before the text that ends it is.
    expect(ends).toEqual(new Set(['0 length', '1 tool_calls', '1 length', '2 tool_calls']))
  })

  it('replies from a tool’s result', async () => {
    const messages: ChatJob['messages'] = [
      { role: 'user', content: 'What is the weather in Oslo?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'get_weather', arguments: '{"city": "Oslo"}' }] },
      { role: 'tool', content: 'windy', toolCallId: 'a' },
    ]
    expect((await tiny.ask({ messages, tools: [WEATHER] })).texts).toEqual(['It is windy in Oslo.'])
  })

  it('lets the model choose between a call and a reply in the response format', async () => {
    const responseFormat = { type: 'json_object' } as const
    const called = await tiny.ask(greedy('What is the weather in Oslo?', { tools: [WEATHER], responseFormat }))
    expect(called.finishes).toEqual(['tool_calls'])
    const logitBias = { [tiny.parts.native.vocabulary.tokenize('<tool_call>', true)[0]!]: -100 }
    const answered = await tiny.ask(
      greedy('What is the weather in Oslo?', { tools: [WEATHER], responseFormat, logitBias }),
    )
    expect(answered.calls).toEqual([])
    expect(answered.texts[0]).toMatch(/^\{/)
  })
})

describe('thinking on the tiny model', () => {
  const asked = (rest: Partial<ChatJob>) => tiny.ask(greedy('What is the capital of Peru?', rest))

  it('[F72] thinks with more effort, and shows only the content', async () => {
    const high = await asked({ reasoningEffort: 'high' })
    expect(high.texts).toEqual(['The capital of Peru is Lima.'])
    expect(high.usage!.reasoningTokens).toBeGreaterThan(3)
    expect(high.usage!.completionTokens).toBeGreaterThan(high.usage!.reasoningTokens!)
    expect(high.progress.some(({ phase }) => phase === 'reasoning')).toBe(true)
    expect(tokensOf(high.events)).toBe(high.usage!.completionTokens)
    const low = await asked({ reasoningEffort: 'low' })
    expect(low.texts).toEqual(high.texts)
    expect(low.usage!.reasoningTokens).toBeUndefined()
  })

  it('applies stop sequences and log probabilities only to the content', async () => {
    const { texts, logprobs } = await asked({ reasoningEffort: 'high', stop: ['Peru'], logprobs: { top: 0 } })
    expect(texts).toEqual(['The capital of Peru'])
    expect(Buffer.from(logprobs.flatMap(({ bytes }) => bytes)).toString()).toBe('The capital of Peru')
  })

  it('follows a schema after thinking', async () => {
    const schema = { type: 'object', properties: { answer: { enum: ['Lima', 'Rome'] } }, required: ['answer'] }
    const { texts, usage } = await asked({
      reasoningEffort: 'high',
      responseFormat: { type: 'json_schema', name: 'a', schema },
    })
    expect(texts[0]).toMatch(/^\{ ?"answer": ?"(Lima|Rome)" ?\}$/)
    expect(usage!.reasoningTokens).toBeGreaterThan(3)
  })

  it('counts a reply that never stops thinking', async () => {
    const { texts, finishes, usage } = await asked({ reasoningEffort: 'high', maxTokens: 4 })
    expect(texts).toEqual([''])
    expect(finishes).toEqual(['length'])
    expect(usage).toMatchObject({ completionTokens: 4, reasoningTokens: 4 })
  })
})
