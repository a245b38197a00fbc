// What every engine has to do, whatever computes behind it. Engines are asked through their interface only, and in words any model
// answers somehow; what a reply says is nowhere expected, only how it hangs together.

import type { ChatJob, Feature, JobTool } from '@hearth/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineError, type Engine } from './engine.ts'
import { askEngine, type Reply } from './testing/collect-reply.ts'

export interface ContractOptions {
  model: string
  /** Announced and tested; a feature left out must not be announced. */
  features: readonly Feature[]
  /** A question the model answers with more than twenty tokens. */
  longQuestion: string
  /** Two ids of tokens that are plain text, and the text of each. */
  tokens?: readonly [{ id: number; text: string }, { id: number; text: string }]
  /** A question the model answers by calling this tool. */
  toolQuestion?: { question: string; tool: JobTool }
}

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

const PERSON = {
  type: 'object',
  properties: {
    name: { type: 'string', maxLength: 12 },
    age: { type: 'integer', minimum: 18, maximum: 99 },
    kind: { enum: ['cat', 'dog'] },
    tags: { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 2 },
  },
  required: ['name', 'age', 'kind', 'tags'],
  additionalProperties: false,
}

export function describeEngine(name: string, create: () => Engine, options: ContractOptions): void {
  const has = (feature: Feature) => options.features.includes(feature)

  describe(`engine: ${name}`, () => {
    let engine: Engine
    const job = (rest: Partial<ChatJob> = {}): ChatJob => ({
      model: options.model,
      messages: [{ role: 'user', content: options.longQuestion }],
      temperature: 0,
      maxTokens: 24,
      ...rest,
    })
    const ask = (rest: Partial<ChatJob> = {}): Promise<Reply> => askEngine(engine, job(rest))

    beforeAll(async () => {
      engine = create()
      expect(engine.models()).toEqual([])
      await engine.start(AbortSignal.timeout(120_000))
    })
    afterAll(() => engine.stop())

    it('[W35] announces its model with exactly the features that work', () => {
      const [model] = engine.models()
      expect(model).toMatchObject({ name: options.model })
      expect(new Set(model?.features)).toEqual(new Set(options.features))
      expect(model!.contextLength).toBeGreaterThan(0)
      expect(model!.slots).toBeGreaterThan(0)
    })

    it('[W1] says the same at temperature 0, again and beside other jobs', async () => {
      const first = await ask()
      expect(first.text).not.toBe('')
      const others = ['Hello', 'Count to 5.', 'Why?'].map((content) => ask({ messages: [{ role: 'user', content }] }))
      expect((await ask()).text).toBe(first.text)
      await Promise.all(others)
      expect((await ask()).text).toBe(first.text)
    })

    it('[W2] draws differently each time at a high temperature', async () => {
      const replies = await Promise.all(Array.from({ length: 4 }, () => ask({ temperature: 1.8 })))
      expect(new Set(replies.map(({ text }) => text)).size).toBeGreaterThan(1)
    })

    it('[W3] takes the likeliest token with top_p 0, whatever the temperature', async () => {
      const [greedy, narrow] = await Promise.all([ask(), ask({ temperature: 2, topP: 0 })])
      expect(narrow.text).toBe(greedy.text)
    })

    it('[W18] ends with one end, after all text, and counts the tokens', async () => {
      const { events, usage, finishes } = await ask()
      expect(events.filter(({ type }) => type === 'end')).toHaveLength(1)
      expect(events.at(-1)?.type).toBe('end')
      expect(finishes).toHaveLength(1)
      expect(usage!.promptTokens).toBeGreaterThan(0)
      expect(usage!.completionTokens).toBeGreaterThan(0)
    })

    it('[W6] writes exactly as many tokens as allowed, and says so', async () => {
      const { finishes, usage, text } = await ask({ maxTokens: 5 })
      expect(finishes).toEqual(['length'])
      expect(usage!.completionTokens).toBe(5)
      expect((await ask()).text.startsWith(text)).toBe(true)
    })

    it('[W7] keeps the stop text and nothing behind it', async () => {
      const { text } = await ask()
      // From within a word into the next: no token is just this.
      const stop = text.slice(9, 14)
      const stopped = await ask({ stop: ['never to be found', stop] })
      expect(stopped.text).toBe(text.slice(0, text.indexOf(stop) + stop.length))
      expect(stopped.finishes).toEqual(['stop'])
    })

    it('[W20] cuts text only between characters', async () => {
      const { pieces } = await ask({ messages: [{ role: 'user', content: 'Say hi in Japanese.' }], maxTokens: 60 })
      for (const piece of pieces) expect(Buffer.from(piece).toString()).toBe(piece)
      for (const piece of pieces) expect(piece).not.toMatch(/\ufffd|[\ud800-\udbff]$/)
    })

    it('[W19] refuses a prompt that does not fit, and says what would', async () => {
      const { contextLength } = engine.models()[0]!
      const content = 'word '.repeat(contextLength * 2)
      const refused = ask({ messages: [{ role: 'user', content }] })
      await expect(refused).rejects.toMatchObject({ code: 'context_length_exceeded', retryable: false })
      await expect(refused).rejects.toThrow(`maximum context length is ${contextLength} tokens`)
    })

    it('[W32] stops when it is aborted, with the signal’s reason, and goes on serving', async () => {
      const abort = new AbortController()
      const reason = new Error('enough')
      const stream = engine.run(job({ maxTokens: 400 }), abort.signal, () => undefined)
      const read = async () => {
        for await (const _ of stream) abort.abort(reason)
      }
      await expect(read()).rejects.toBe(reason)
      expect((await ask({ maxTokens: 3 })).text).not.toBe('')
    })

    it('[W32] stops when its reader leaves', async () => {
      for (let time = 0; time < engine.models()[0]!.slots + 1; time++)
        for await (const event of engine.run(job({ maxTokens: 400 }), AbortSignal.timeout(60_000), () => undefined))
          if (event.type === 'text') break
      expect((await ask({ maxTokens: 3 })).text).not.toBe('')
    })

    it('[W34] runs more jobs than it has slots, each to its own end', async () => {
      const lengths = Array.from({ length: engine.models()[0]!.slots * 2 + 1 }, (_, index) => index + 1)
      const replies = await Promise.all(lengths.map((maxTokens) => ask({ maxTokens })))
      expect(replies.map(({ usage }) => usage!.completionTokens)).toEqual(lengths)
    })

    it('[W33] loses nothing when its reader is slow', async () => {
      const whole = await ask({ maxTokens: 20 })
      let slow = ''
      for await (const event of engine.run(job({ maxTokens: 20 }), AbortSignal.timeout(60_000), () => undefined)) {
        await new Promise((resolve) => setImmediate(resolve))
        if (event.type === 'text') slow += event.text
      }
      expect(slow).toBe(whole.text)
    })

    it('[W34] refuses a model it does not have', async () => {
      const refused = async () => askEngine(engine, job({ model: 'no-such-model' }))
      await expect(refused()).rejects.toBeInstanceOf(EngineError)
    })

    if (has('n'))
      it('[W8] gives several choices, each with its end, and counts the tokens of one', async () => {
        const { texts, finishes, usage } = await ask({ n: 5, temperature: 1.5, maxTokens: 12 })
        expect(finishes).toHaveLength(5)
        expect(new Set(texts).size).toBeGreaterThan(1)
        expect(usage!.completionTokens).toBeLessThanOrEqual(12)
        const greedy = await ask({ n: 3, maxTokens: 12 })
        expect(new Set(greedy.texts)).toEqual(new Set([(await ask({ maxTokens: 12 })).text]))
      })

    if (has('logprobs')) {
      it('[W9] gives each token its log probability and bytes', async () => {
        const { logprobs, text, usage } = await ask({ logprobs: { top: 0 } })
        expect(logprobs).toHaveLength(usage!.completionTokens)
        expect(Buffer.from(logprobs.flatMap(({ bytes }) => bytes)).toString()).toBe(text)
        for (const { logprob, top } of logprobs) {
          expect(logprob).toBeLessThanOrEqual(0)
          expect(top).toEqual([])
        }
      })

      it('[W10] names the likeliest tokens in order, never below -9999', async () => {
        for (const { token, top } of (await ask({ logprobs: { top: 20 }, maxTokens: 6 })).logprobs) {
          expect(top).toHaveLength(20)
          expect(top[0]!.token).toBe(token)
          expect(top).toEqual(top.toSorted((a, b) => b.logprob - a.logprob))
          expect(top.reduce((sum, { logprob }) => sum + Math.exp(logprob), 0)).toBeLessThanOrEqual(1.001)
          expect(top.every(({ logprob }) => logprob >= -9999)).toBe(true)
        }
      })
    }

    const tokens = has('logit_bias') ? options.tokens : undefined
    if (tokens !== undefined) {
      const [one, other] = tokens

      it('[W5] writes a token that is forced and none that is banned', async () => {
        expect((await ask({ logitBias: { [one.id]: 100 }, maxTokens: 4 })).text).toBe(one.text.repeat(4))
        const banned = await ask({ logitBias: { [one.id]: -100, [other.id]: 100 }, maxTokens: 4, temperature: 1 })
        expect(banned.text).toBe(other.text.repeat(4))
      })

      it('[W4] turns away from a token the more often it was written', async () => {
        const forced = { logitBias: { [one.id]: 60 }, maxTokens: 70 }
        expect((await ask(forced)).text).toBe(one.text.repeat(70))
        const penalised = await ask({ ...forced, frequencyPenalty: 2 })
        expect(penalised.text.startsWith(one.text.repeat(10))).toBe(true)
        expect(penalised.text).not.toBe(one.text.repeat(70))
      })
    }

    if (has('json_object'))
      it('[W11] answers with a JSON object', async () => {
        const replies = await Promise.all(
          [0, 0.8].map((temperature) => ask({ responseFormat: { type: 'json_object' }, maxTokens: 300, temperature })),
        )
        for (const { text, finishes } of replies.filter(({ finishes: [finish] }) => finish === 'stop')) {
          expect(finishes).toEqual(['stop'])
          expect(JSON.parse(text)).toBeTypeOf('object')
        }
        expect(replies.every(({ text }) => text.trimStart().startsWith('{'))).toBe(true)
      })

    if (has('json_schema')) {
      const format = (schema: object): Partial<ChatJob> => ({
        responseFormat: { type: 'json_schema', name: 'person', schema: { ...schema } },
        maxTokens: 200,
      })

      it('[W12] answers in the form of the schema, at any temperature', async () => {
        const validate = ajv.compile(PERSON)
        for (const { text } of await Promise.all(
          [0, 1, 1.5].map((temperature) => ask({ ...format(PERSON), temperature })),
        ))
          expect(validate(JSON.parse(text)) ? 'valid' : validate.errors).toBe('valid')
      })

      it('[W12] is cut by the token limit like any text', async () => {
        const { finishes, text } = await ask({ ...format(PERSON), maxTokens: 4 })
        expect(finishes).toEqual(['length'])
        expect(() => JSON.parse(text) as unknown).toThrow()
      })

      it('[W13] refuses a schema it can’t enforce, and names the place', async () => {
        const schema = { type: 'object', properties: { a: { not: { type: 'string' } } } }
        const refused = ask(format(schema))
        await expect(refused).rejects.toMatchObject({
          code: 'invalid_json_schema',
          param: 'response_format',
          retryable: false,
        })
        await expect(refused).rejects.toThrow(/#\/properties\/a.*"not"/)
      })
    }

    if (has('tools')) {
      const tool = { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }

      it('[W14] takes tools, calls and results among the messages', async () => {
        const calls = [{ id: 'call_1', name: tool.name, arguments: '{"city": "Oslo"}' }]
        const messages: ChatJob['messages'] = [
          { role: 'user', content: 'What is the weather in Oslo?' },
          { role: 'assistant', content: '', toolCalls: calls },
          { role: 'tool', content: 'windy', toolCallId: 'call_1' },
        ]
        expect((await ask({ messages, tools: [tool] })).finishes).toHaveLength(1)
        expect((await ask({ messages })).finishes).toHaveLength(1)
      })

      it('[W13] refuses a strict tool whose parameters it can’t enforce', async () => {
        const bad = {
          name: 'bad',
          strict: true,
          parameters: { type: 'object', properties: { a: { type: 'array', uniqueItems: true } } },
        }
        const param = 'tools[1].function.parameters'
        await expect(ask({ tools: [tool, bad] })).rejects.toMatchObject({ code: 'invalid_function_parameters', param })
      })
    }

    const toolQuestion = has('tools') ? options.toolQuestion : undefined
    if (toolQuestion !== undefined) {
      const { question, tool } = toolQuestion
      const asked = { messages: [{ role: 'user' as const, content: question }], tools: [tool], maxTokens: 100 }

      it('[W14] calls a tool, whole and with arguments its schema allows', async () => {
        const { calls, finishes, text } = await ask(asked)
        expect(finishes).toEqual(['tool_calls'])
        expect(text).toBe('')
        expect(calls[0]).toMatchObject({ name: tool.name })
        expect(calls[0]!.id).toMatch(/^call_\w{24}$/)
        expect(ajv.validate(tool.parameters!, JSON.parse(calls[0]!.arguments))).toBe(true)
      })

      it('[W15] calls none when that is forbidden', async () => {
        const { calls, finishes } = await ask({ ...asked, toolChoice: 'none' })
        expect(calls).toEqual([])
        expect(finishes).not.toContain('tool_calls')
      })
    }

    if (has('reasoning_effort'))
      it('[W17] takes every effort', async () => {
        for (const reasoningEffort of ['low', 'medium', 'high'] as const)
          expect((await ask({ reasoningEffort })).finishes).toHaveLength(1)
      })

    it('[W36] ends its jobs when it is stopped, and serves nothing any more', async () => {
      const last = create()
      await last.start(AbortSignal.timeout(120_000))
      const reading = askEngine(last, job({ maxTokens: 100_000, temperature: 1.8 }), AbortSignal.timeout(60_000))
      await expect(Promise.race([reading, last.stop().then(() => reading)])).rejects.toMatchObject({ retryable: true })
      expect(last.models()).toEqual([])
    })
  })
}
