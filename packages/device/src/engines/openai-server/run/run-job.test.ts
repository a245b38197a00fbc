import { describe, expect, it } from 'vitest'
import type { ChatJob, JobTool } from '@hearth/protocol'
import type { StandInProduct } from '../../../testing/stand-ins/quirks.ts'
import { endOf, run, serve, start, textOf, user } from '../testing/serve.ts'

const PRODUCTS: StandInProduct[] = ['ollama', 'llama-server', 'lm-studio', 'vllm', 'other']
const WEATHER: JobTool = {
  name: 'get_weather',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

describe('stop sequences', () => {
  it('ends the request where the text stopped', async () => {
    const held = Promise.withResolvers<void>()
    const { engine, server } = await serve({
      product: 'llama-server',
      beforeChunk: (chunk, body) =>
        chunk === 8 && body.messages[0]?.content === 'Count from 1 to 99.' ? held.promise : undefined,
    })
    const events = await run(engine, { messages: user('Count from 1 to 99.'), stop: ['3'] })
    expect(textOf(events)).toBe('1 2 3')
    expect(server.open).toBe(0)
    held.resolve()
  })

  it('leaves the usage out if it cannot be counted, unless the answer ended by itself', async () => {
    const { engine } = await serve({ quirks: { tokensPerPiece: 3 } })
    const events = await run(engine, { stop: ['4'] })
    expect(textOf(events)).toBe('1 2 3 4')
    expect(endOf(events)).toEqual({ type: 'end', finishes: ['stop'] })
    expect(endOf(await run(engine, { stop: ['never'] })).usage).toEqual({ promptTokens: 8, completionTokens: 10 })
  })

  it('[E52] cuts each of several choices off separately', async () => {
    const { engine } = await serve({ product: 'llama-server' })
    const events = await run(engine, { stop: ['2 3'], n: 2 })
    expect([textOf(events, 0), textOf(events, 1)]).toEqual(['1 2 3', '1 2 3'])
    expect(endOf(events)).toMatchObject({ finishes: ['stop', 'stop'], usage: { completionTokens: 3 } })
  })
})

describe('several choices', () => {
  it('come from as few requests as possible if the server counts the tokens of one', async () => {
    const { engine, server } = await serve({ product: 'llama-server' })
    const events = await run(engine, { n: 3 })
    expect(server.chats.map(({ n }) => n)).toEqual([2, undefined])
    expect([0, 1, 2].map((choice) => textOf(events, choice))).toEqual(Array(3).fill('1 2 3 4 5 6 7 8 9.'))
    expect(endOf(events)).toMatchObject({ finishes: ['stop', 'stop', 'stop'], usage: { completionTokens: 10 } })
  })

  it.each(['ollama', 'vllm', 'lm-studio'] as const)('come from one request each on %s', async (product) => {
    const { engine, server } = await serve({ product })
    const events = await run(engine, { n: 3, maxTokens: 4 })
    expect(server.chats.map(({ n }) => n)).toEqual([undefined, undefined, undefined])
    expect([0, 1, 2].map((choice) => textOf(events, choice))).toEqual(Array(3).fill('1 2 3 4'))
    expect(endOf(events)).toMatchObject({ finishes: ['length', 'length', 'length'], usage: { completionTokens: 4 } })
  })

  it('end together if one request fails', async () => {
    const { engine, server } = await serve({
      product: 'ollama',
      beforeChunk: () => new Promise((next) => setImmediate(next)),
    })
    server.faults.push({ type: 'cut', afterPieces: 3 })
    await expect(run(engine, { n: 3, messages: user('Count from 1 to 99.') })).rejects.toMatchObject({
      retryable: true,
    })
    await expect.poll(() => server.open).toBe(0)
  })
})

describe('tool calls', () => {
  it.each(['streamed', 'in-parts', 'whole-only', 'legacy'] as const)(
    'arrive complete from a server that sends them %s',
    async (tools) => {
      const { engine } = await serve({ quirks: { tools } })
      // The old format has one call.
      const cities = tools === 'legacy' ? ['Rome'] : ['Rome', 'Lima']
      const id: unknown = expect.stringMatching(/^call_\w{24}$/)
      const events = await run(engine, {
        messages: user(`What is the weather in ${cities.join(' and ')}?`),
        tools: [WEATHER],
      })
      expect(events.slice(0, -1)).toEqual([
        {
          type: 'tool-calls',
          choice: 0,
          calls: cities.map((city) => ({ id, name: 'get_weather', arguments: JSON.stringify({ city }) })),
        },
      ])
      expect(endOf(events).finishes).toEqual(['tool_calls'])
    },
  )

  it('are not offered if the request forbids them', async () => {
    const { engine, server } = await serve()
    const job: Partial<ChatJob> = {
      messages: user('What is the weather in Rome?'),
      tools: [WEATHER],
      toolChoice: 'none',
    }
    expect(textOf(await run(engine, job))).toContain('You said')
    expect(server.chats[0]).not.toHaveProperty('tools')
  })

  it('and their results go back to the server', async () => {
    const { engine, server } = await serve()
    const toolCalls = [{ id: 'c1', name: 'get_weather', arguments: '{"city":"Rome"}' }]
    const messages: ChatJob['messages'] = [
      ...user('What is the weather in Rome?'),
      { role: 'assistant', content: '', toolCalls },
      { role: 'tool', content: 'windy', toolCallId: 'c1' },
    ]
    await run(engine, { messages })
    expect(server.chats[0]?.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Rome"}' } }],
      },
      { role: 'tool', content: 'windy', tool_call_id: 'c1' },
    ])
  })
})

describe('answers', () => {
  it.each(PRODUCTS)('[E52] of %s have the same text, finish reason and usage, whatever ends them', async (product) => {
    const { engine, server } = await serve({ product })
    const events = await run(engine, {})
    expect(textOf(events)).toBe('1 2 3 4 5 6 7 8 9.')
    expect(endOf(events)).toMatchObject({ finishes: ['stop'], usage: { promptTokens: 8, completionTokens: 10 } })
    expect(endOf(await run(engine, { maxTokens: 3 })).finishes).toEqual(['length'])
    const stopped = await run(engine, { stop: ['4 5'] })
    expect(textOf(stopped)).toBe('1 2 3 4 5')
    expect(endOf(stopped)).toMatchObject({ finishes: ['stop'], usage: { promptTokens: 8, completionTokens: 5 } })
    // The server never sees the stop sequence.
    expect(server.chats.some((chat) => 'stop' in chat)).toBe(false)
  })

  it.each(['field', 'other-field', 'tags', 'open-tag'] as const)(
    'contain no thinking if it comes as %s',
    async (thinking) => {
      const { engine } = await serve({ quirks: { thinking } })
      const phases = new Set<string>()
      const events = await run(engine, {}, { report: ({ phase }) => phases.add(phase) })
      expect(textOf(events)).toBe('1 2 3 4 5 6 7 8 9.')
      expect([...phases]).toEqual(['prompt', 'reasoning'])
    },
  )

  it('are the same for several tokens per chunk and for whole replies', async () => {
    for (const quirks of [{ tokensPerPiece: 4 }, { ignoresStream: true }, { nulls: true }]) {
      const { engine } = await serve({ quirks })
      expect(textOf(await run(engine, {}))).toBe('1 2 3 4 5 6 7 8 9.')
    }
  })

  it('have log probabilities with bytes, none after the stop sequence', async () => {
    const { engine } = await serve({ quirks: { tokensPerPiece: 4, logprobs: 'without-bytes' } })
    const events = await run(engine, { messages: user('Say: äb cd ef gh'), logprobs: { top: 2 }, stop: ['d'] })
    const entries = events.flatMap((event) => (event.type === 'text' ? (event.logprobs ?? []) : []))
    expect(textOf(events)).toBe('äb cd')
    expect(entries.map(({ token }) => token)).toEqual(['ä', 'b', ' cd'])
    expect(entries[0]).toMatchObject({ logprob: -0.5, bytes: [0xc3, 0xa4] })
    expect(entries.every(({ top }) => top.length === 2)).toBe(true)
  })

  it('have none for thinking that was removed', async () => {
    const { engine } = await serve({ quirks: { thinking: 'tags' } })
    const events = await run(engine, { logprobs: { top: 0 }, messages: user('Count from 1 to 2.') })
    const entries = events.flatMap((event) => (event.type === 'text' ? (event.logprobs ?? []) : []))
    expect(entries.map(({ token }) => token)).toEqual(['1', ' 2', '.'])
  })
})

describe('requests', () => {
  it('contain only what the job asks for', async () => {
    const { engine, server } = await serve()
    await run(engine, {
      temperature: 0.5,
      topP: 0.9,
      frequencyPenalty: 1,
      presencePenalty: -1,
      maxTokens: 7,
      logitBias: { '5': 3 },
      reasoningEffort: 'low',
      // A local server has its own.
      chatTemplate: '{{ messages }}',
    })
    expect(server.chats[0]).toEqual({
      model: 'some-model',
      messages: [{ role: 'user', content: 'Count from 1 to 9.' }],
      temperature: 0.5,
      top_p: 0.9,
      frequency_penalty: 1,
      presence_penalty: -1,
      max_tokens: 7,
      logit_bias: { '5': 3 },
      reasoning_effort: 'low',
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  it('name the limit as the server understands it', async () => {
    const { engine, server } = await serve({ quirks: { limit: 'max_completion_tokens' } })
    expect(endOf(await run(engine, { maxTokens: 2 })).finishes).toEqual(['length'])
    expect(server.chats[0]).toMatchObject({ max_completion_tokens: 2 })
    expect(server.chats[0]).not.toHaveProperty('max_tokens')
  })

  it('set no limit if it is larger than the rest of the context', async () => {
    const { engine, server } = await serve({ product: 'vllm' })
    const message =
      "'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum context length is 4096 tokens"
    server.faults.push({ type: 'status', status: 400, body: { error: { message } } })
    expect(textOf(await run(engine, { maxTokens: 9_000 }))).toBe('1 2 3 4 5 6 7 8 9.')
    expect(server.chats[1]).not.toHaveProperty('max_tokens')
  })

  it('may ask vLLM for more tokens than its context has', async () => {
    const { engine } = await serve({ product: 'vllm' })
    expect(endOf(await run(engine, { maxTokens: 1_000_000 })).finishes).toEqual(['stop'])
  })

  it('ask for a JSON object in the way that works', async () => {
    const { engine } = await serve({ product: 'lm-studio' })
    const events = await run(engine, { responseFormat: { type: 'json_object' } })
    expect(JSON.parse(textOf(events))).toBeTypeOf('object')
  })

  it('reject a schema with a keyword that is not enforced', async () => {
    const { engine, server } = await serve({ quirks: { schema: 'without-patterns' } })
    const schema = { type: 'object', properties: { code: { type: 'string', pattern: '^[a-z]$' } } }
    await expect(run(engine, { responseFormat: { type: 'json_schema', name: 'x', schema } })).rejects.toMatchObject({
      code: 'invalid_json_schema',
      param: 'response_format',
      retryable: false,
    })
    expect(server.chats).toEqual([])
  })

  it('[F64c] reject a strict tool with such a keyword, and leave any other to the model', async () => {
    const { engine } = await serve({ quirks: { schema: 'without-patterns' } })
    const tool = { name: 'f', parameters: { type: 'object', properties: { code: { type: 'string', pattern: '^a$' } } } }
    expect(endOf(await run(engine, { tools: [tool] })).finishes).toEqual(['stop'])
    await expect(run(engine, { tools: [WEATHER, { ...tool, strict: true }] })).rejects.toMatchObject({
      code: 'invalid_function_parameters',
      param: 'tools[1].function.parameters',
    })
  })

  it('ask for the likeliest token in a way that every server accepts', async () => {
    const { engine, server } = await serve()
    await run(engine, { topP: 0, temperature: 2 })
    expect(server.chats[0]).toMatchObject({ temperature: 0, top_p: 1 })
  })

  it('use separate connections', async () => {
    const { engine, server } = await serve()
    const ports = new Set<unknown>()
    server.onChat = (request) => ports.add(request.socket.remotePort)
    await Promise.all([run(engine, {}), run(engine, {})])
    await run(engine, {})
    expect(ports.size).toBe(3)
  })

  it('are not read further while nobody reads the events', async () => {
    let sent = 0
    const { engine, server } = await serve({ beforeChunk: () => void (sent += 1) })
    const iterator = start(engine, { messages: user('Count from 1 to 200000.') })[Symbol.asyncIterator]()
    await iterator.next()
    await expect.poll(() => server.isBlocked).toBe(true)
    expect(sent).toBeLessThan(200_000)
    await iterator.return?.()
    await expect.poll(() => server.open).toBe(0)
  })
})
