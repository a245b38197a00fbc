import type { ChatJob } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import type { Fault } from '../../testing/stand-ins/quirks.ts'
import type { EngineError } from '../engine.ts'
import { endOf, run, serve, start, textOf, until, user } from './testing/serve.ts'

async function failure(promise: Promise<unknown>): Promise<EngineError> {
  return promise.then(
    () => Promise.reject(new Error('nothing failed')),
    (error: EngineError) => error,
  )
}

const refuse = (status: number, body: unknown): Fault => ({ type: 'status', status, body })

describe('a server that fails', () => {
  const retryable: [string, Fault][] = [
    ['answers 500', refuse(500, 'oops')],
    ['is loading', refuse(503, { error: { message: 'Loading model', code: 503 } })],
    ['is busy', refuse(429, { error: { message: 'too many requests' } })],
    ['does not know the model any more', refuse(404, { error: { message: 'model not found' } })],
    ['wants another key', refuse(401, { error: { message: 'Invalid API key' } })],
    ['ends the stream early', { type: 'cut', afterPieces: 4 }],
    ['resets the connection', { type: 'reset', afterPieces: 4 }],
    ['sends broken JSON', { type: 'broken-json' }],
    ['sends a line without end', { type: 'endless-line' }],
    ['sends a web page', { type: 'html' }],
    ['reports an error within the stream', { type: 'error-in-stream', body: { error: { message: 'slot died' } } }],
  ]
  it.each(retryable)('that %s fails the job as retryable, and serves the next one', async (_, fault) => {
    const { engine, server } = await serve()
    server.faults.push(fault)
    expect(await failure(run(engine, {}))).toMatchObject({
      name: expect.stringMatching(/Error$/),
      code: 'failed',
      retryable: true,
    })
    await expect.poll(() => server.open).toBe(0)
    await until(engine, () => engine.models().length > 0)
    expect(textOf(await run(engine, {}))).toBe('1 2 3 4 5 6 7 8 9.')
  })

  it('that rejects a request fails it for good', async () => {
    const { engine, server } = await serve()
    server.faults.push(refuse(400, { error: { message: 'no' } }))
    expect(await failure(run(engine, {}))).toMatchObject({ code: 'failed', retryable: false })
  })

  it('is never quoted, because it may quote the prompt', async () => {
    const { engine, server } = await serve()
    for (const status of [400, 500]) {
      server.faults.push(refuse(status, { error: { message: 'cannot parse "my secret"', type: 'my secret' } }))
      const error = await failure(run(engine, { messages: user('my secret') }))
      expect(JSON.stringify([error.message, String(error.cause)])).not.toContain('my secret')
    }
  })

  it('by silence times out, counted only while the job waits for it', async () => {
    const clock = createManualClock()
    const { engine, server } = await serve({}, { clock, silentMs: 60_000 })
    server.faults.push({ type: 'silent' })
    const failed = failure(run(engine, {}))
    await expect.poll(() => server.open).toBe(1)
    await clock.advance(59_000)
    expect(server.open).toBe(1)
    await clock.advance(11_000)
    expect(await failed).toMatchObject({ message: 'The local server stopped responding', retryable: true })
    await expect.poll(() => server.open).toBe(0)
  })

  it('by silence is reported as alive as long as it responds otherwise', async () => {
    const clock = createManualClock()
    const { engine, server } = await serve({}, { clock })
    server.faults.push({ type: 'silent' })
    const reports: string[] = []
    const abort = new AbortController()
    const failed = failure(run(engine, {}, { signal: abort.signal, report: ({ phase }) => reports.push(phase) }))
    await expect.poll(() => server.open).toBe(1)
    await clock.advance(30_000)
    expect(reports).toEqual(['prompt', 'prompt', 'prompt', 'prompt'])
    abort.abort(new Error('enough'))
    expect((await failed).message).toBe('enough')
  })
})

describe('a conversation that is too long', () => {
  const words: [string, unknown][] = [
    ['llama-server', { error: { code: 400, type: 'exceed_context_size_error', message: 'too big', n_ctx: 64 } }],
    ['vLLM', { error: { message: "This model's maximum context length is 64 tokens. However, you requested 90" } }],
    ['old vLLM', { object: 'error', message: "This model's maximum context length is 64 tokens." }],
    [
      'LM Studio',
      {
        error:
          'Trying to keep the first 90 tokens when context the overflows. However, the model is loaded with context length of only 64 tokens',
      },
    ],
    [
      'Ollama',
      {
        error: { message: '{"error":{"code":400,"message":"request (90 tokens) exceeds the available context size"}}' },
      },
    ],
  ]
  it.each(words)('[F73a] is recognized in the error of %s', async (_, body) => {
    const { engine, server } = await serve()
    server.faults.push(refuse(400, body))
    expect(await failure(run(engine, {}))).toMatchObject({
      code: 'context_length_exceeded',
      param: 'messages',
      retryable: false,
    })
  })

  it('[F73a] is recognized within a stream', async () => {
    const { engine, server } = await serve()
    server.faults.push({
      type: 'error-in-stream',
      body: { error: { message: 'context length of only 64 tokens', code: 500 } },
    })
    expect(await failure(run(engine, {}))).toMatchObject({ code: 'context_length_exceeded' })
  })

  it('[F73a] is rejected on Ollama, which would silently drop part of it', async () => {
    const { engine } = await serve({ product: 'ollama', contextLength: 64 })
    expect(await failure(run(engine, { messages: user('word '.repeat(90)) }))).toMatchObject({
      code: 'context_length_exceeded',
    })
    expect(textOf(await run(engine, { messages: user('w '.repeat(50)) }))).toContain('You said')
  })

  it('[F73a] is rejected on Ollama if the tools make it too long', async () => {
    const { engine } = await serve({ product: 'ollama', contextLength: 256 })
    const tools = Array.from({ length: 12 }, (_, at) => ({
      name: `tool_${at}`,
      description: 'a word '.repeat(20),
      parameters: { type: 'object', properties: {} },
    }))
    expect(await failure(run(engine, { tools }))).toMatchObject({ code: 'context_length_exceeded' })
    expect(textOf(await run(engine, { tools: tools.slice(0, 1) }))).not.toBe('')
  })

  it('[F73a] is accepted if Ollama says that it fits', async () => {
    const { engine, server } = await serve({ product: 'ollama', contextLength: 64 })
    expect(textOf(await run(engine, { messages: user('x'.repeat(900)) }))).toContain('xxx')
    expect(server.looks).toContain('/api/chat')
  })
})

describe('an answer that becomes too long', () => {
  it('ends on Ollama where the context is full, because Ollama would go on and forget how it began', async () => {
    const { engine, server } = await serve({ product: 'ollama', contextLength: 64 })
    const events = await run(engine, { messages: user('Count from 1 to 99.') })
    expect(endOf(events)).toMatchObject({ finishes: ['length'], usage: { promptTokens: 8, completionTokens: 56 } })
    await run(engine, { messages: user('Count from 1 to 99.'), maxTokens: 60 })
    await run(engine, { messages: user('Count from 1 to 99.'), maxTokens: 5 })
    expect(server.chats.map((chat) => chat.max_tokens)).toEqual([56, 56, 5])
  })

  it('is not counted on Ollama where it plainly leaves room', async () => {
    const { engine, server } = await serve({ product: 'ollama', contextLength: 4_096 })
    server.looks.length = 0
    await run(engine, {})
    await run(engine, { maxTokens: 64, messages: user('w '.repeat(1_500)) })
    expect(server.looks).not.toContain('/api/chat')
    const [limit] = server.chats.map((chat) => chat.max_tokens)
    expect(limit).toBeGreaterThan(3_584)
    expect(limit).toBeLessThan(4_096)
  })
})

describe('a model that was removed at the server', () => {
  it('is not announced any more when the job fails, and not before it answers again', async () => {
    const { engine, server } = await serve({ product: 'ollama', models: ['kept', 'gone'] })
    const gone = { model: 'gone' }
    await until(engine, () => engine.models().length === 2)
    expect(textOf(await run(engine, gone))).not.toBe('')
    server.models = ['kept']
    const announced = run(engine, gone).catch(() => engine.models().map(({ name }) => name))
    expect(await announced).toEqual(['kept'])
    server.models = ['kept', 'gone']
    await until(engine, () => engine.models().length === 2)
  })

  it('is not announced either while the server lists it but refuses it', async () => {
    const { engine, server, problems } = await serve({ product: 'ollama', models: ['listed'] })
    const refused = refuse(404, { error: { message: 'model "listed" not found' } })
    server.faults.push(refused, refused, refused)
    expect(await failure(run(engine, {}))).toMatchObject({ retryable: true })
    expect(engine.models()).toEqual([])
    await expect.poll(() => problems).toEqual(["Can't serve listed: The server sent no answer"])
    expect(engine.models()).toEqual([])
  })
})

describe('a value that the server rejects', () => {
  const schema = { type: 'object', properties: {} }
  it.each<[string, Partial<ChatJob>, object]>([
    [
      'failed to convert JSON schema to grammar',
      { responseFormat: { type: 'json_schema', name: 'x', schema } },
      { code: 'invalid_json_schema' },
    ],
    [
      'invalid schema in tool parameters',
      { tools: [{ name: 'f', parameters: { type: 'nonsense' } }] },
      { code: 'invalid_function_parameters', param: 'tools' },
    ],
    [
      'token_id 99999999 in logit_bias is out of vocabulary',
      { logitBias: { '99999999': 1 } },
      { code: 'invalid_value', param: 'logit_bias' },
    ],
  ])('is the fault of the request: %s', async (message, job, error) => {
    const { engine, server } = await serve()
    server.faults.push(refuse(400, { error: { message } }))
    expect(await failure(run(engine, job))).toMatchObject(error)
  })
})

describe('canceling', () => {
  it('closes the request to the server, throws the reason, and leaves other jobs alone', async () => {
    const held = Promise.withResolvers<void>()
    const { engine, server } = await serve({
      beforeChunk: (chunk, body) => (body.max_tokens === undefined && chunk === 3 ? held.promise : undefined),
    })
    const abort = new AbortController()
    const failed = failure(run(engine, {}, { signal: abort.signal }))
    const kept = run(engine, {})
    await expect.poll(() => server.open).toBe(2)
    abort.abort(new Error('the client is gone'))
    expect((await failed).message).toBe('the client is gone')
    await expect.poll(() => server.open).toBe(1)
    held.resolve()
    expect(endOf(await kept).finishes).toEqual(['stop'])
  })

  it('by leaving the loop closes the request too', async () => {
    const { engine, server } = await serve({ product: 'ollama' })
    const before = server.brokenOff
    for await (const event of start(engine, { messages: user('Count from 1 to 9999.'), n: 2 }))
      if (event.type === 'text') break
    await expect.poll(() => server.brokenOff).toBeGreaterThan(before)
    await expect.poll(() => server.open).toBe(0)
  })

  it('frees the slot only when llama-server is done with it', async () => {
    const { engine, server } = await serve({ product: 'llama-server' })
    server.busySlots = 1
    let isBack = false
    const left = (async () => {
      for await (const event of start(engine, { messages: user('Count from 1 to 9999.') }))
        if (event.type === 'text') break
      isBack = true
    })()
    await expect.poll(() => server.looks.filter((path) => path === '/slots').length).toBeGreaterThan(1)
    expect(isBack).toBe(false)
    server.busySlots = 0
    await left
    expect(isBack).toBe(true)
  })

  it('happens to every job when the engine stops', async () => {
    const { engine, server } = await serve()
    server.faults.push({ type: 'silent' })
    const failed = failure(run(engine, {}))
    await expect.poll(() => server.open).toBe(1)
    await engine.stop()
    expect(await failed).toMatchObject({ retryable: true })
    expect(engine.models()).toEqual([])
  })
})
