import { isDeepStrictEqual } from 'node:util'
import type { Feature } from '@hearth/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createManualClock } from '../../testing/manual-clock.ts'
import type { Fault } from '../../testing/stand-ins/quirks.ts'
import { startStandIn, type StandInOptions } from '../../testing/stand-ins/server.ts'
import { describeEngine } from '../engine.contract.ts'
import { TINY_CONTRACT } from '../testing/tiny-contract.ts'
import { createOpenAiServerEngine } from './openai-server-engine.ts'
import { run, serve, textOf, until, user } from './testing/serve.ts'

// A real llama-server with the tiny model is only tested on machines that run one.
const real = process.env['HEARTH_LLAMA_SERVER']
if (real !== undefined)
  describeEngine('a real llama-server', () => createOpenAiServerEngine({ url: real, models: { tiny: 'tiny' } }), {
    ...TINY_CONTRACT,
    features: ['usage', 'json_object', 'json_schema', 'tools', 'logprobs', 'n', 'logit_bias', 'reasoning_effort'],
  })

describe('models', () => {
  it('are served under the names the owner gives, and no others', async () => {
    const { engine, server } = await serve({ models: ['a', 'b'] }, { models: { house: 'b' } })
    expect(engine.models().map(({ name }) => name)).toEqual(['house'])
    expect(textOf(await run(engine, {}))).not.toBe('')
    expect(server.chats.map(({ model }) => model)).toEqual(['b'])
  })

  it('of Ollama are found without their usual tag', async () => {
    const { engine, server } = await serve(
      { product: 'ollama', models: ['smol-tools:latest', 'smol-tools:2b'] },
      { models: { chat: 'smol-tools' } },
    )
    expect(engine.models().map(({ name }) => name)).toEqual(['chat'])
    await run(engine, {})
    expect(server.chats.map(({ model }) => model)).toEqual(['smol-tools:latest'])
  })

  it('are requested with the API key', async () => {
    const { engine } = await serve({ key: 'local-key' }, { key: 'local-key' })
    expect(textOf(await run(engine, {}))).not.toBe('')
  })

  it.each([
    ['ollama', 'Ollama 1.2.3', 2_048, 1],
    ['llama-server', 'llama-server 1.2.3', 2_048, 2],
    ['lm-studio', 'LM Studio', 2_048, 1],
    ['vllm', 'vLLM 1.2.3', 2_048, 128],
    ['other', 'OpenAI-compatible server', 4_096, 1],
  ] as const)(
    'of %s have the context length and the slots it reports',
    async (product, server, contextLength, slots) => {
      const { engine } = await serve({ product, contextLength: 2_048 })
      expect(engine.probeTable()[0]).toMatchObject({ server, contextLength, slots })
      expect(engine.models()[0]).toMatchObject({ contextLength, slots })
    },
  )

  it('have the slots and the context length that the owner sets', async () => {
    const { engine } = await serve({}, { slots: 3, contextLength: 999 })
    expect(engine.models()[0]).toMatchObject({ contextLength: 999, slots: 3 })
  })
})

describe('slots', () => {
  it('are fewer while vLLM says that requests wait, and as before when it was restarted', async () => {
    const held = Promise.withResolvers<void>()
    const clock = createManualClock()
    const { engine, server } = await serve(
      {
        product: 'vllm',
        beforeChunk: (chunk, body) => (body.max_tokens === 9 && chunk > 2 ? held.promise : undefined),
      },
      { clock },
    )
    const slots = (): number | undefined => engine.models()[0]?.slots
    expect(slots()).toBe(128)
    const jobs = Array.from({ length: 5 }, () => run(engine, { maxTokens: 9 }))
    await expect.poll(() => server.open).toBe(5)
    server.waiting = 2
    const lowered = until(engine, () => slots() === 3)
    await clock.advance(3_000)
    await expect.poll(() => server.looks.filter((path) => path === '/metrics').length).toBe(1)
    await clock.advance(3_000)
    await lowered
    held.resolve()
    await Promise.all(jobs)
    server.version = '9.9.9'
    const probed = until(engine, () => slots() === 128)
    await clock.advance(15_000)
    await probed
  })

  it.each([
    [{}, 2],
    [{ slots: 1 }, 1],
  ])('grow while the server takes more, unless the owner sets them: %j', async (options, most) => {
    const clock = createManualClock()
    const messages = user('Count from 1 to 99.')
    const { engine } = await serve(
      {
        product: 'ollama',
        beforeChunk: (_, body) =>
          isDeepStrictEqual(body.messages, messages) ? clock.wait(20, new AbortController().signal) : undefined,
      },
      { clock, ...options },
    )
    const done = run(engine, { messages })
    while ((await Promise.race([done, clock.advance(20)])) === undefined);
    expect(engine.models()[0]?.slots).toBe(most)
  })
})

/** A server that is watched on a clock of the test. */
async function watch(standIn: StandInOptions = {}) {
  const clock = createManualClock()
  const served = await serve(standIn, { clock })
  /** Looks at the server until this holds. */
  const look = async (holds: () => boolean, ms = 15_000): Promise<void> => {
    const changed = until(served.engine, holds)
    await clock.advance(ms)
    await changed
  }
  /** What is there after the next look. */
  const after = async <Value>(read: () => Value): Promise<Value> => {
    await clock.advance(15_000)
    return read()
  }
  const names = () => served.engine.models().map(({ name }) => name)
  const has = (feature: Feature) => served.engine.models()[0]?.features.includes(feature)
  return { ...served, clock, look, after, names, has }
}

describe('watching', () => {
  it('announces models that come and go', async () => {
    const { server, look, names } = await watch({ models: ['a'] })
    server.models = ['b']
    await look(() => names()[0] === 'b')
    expect(names()).toEqual(['b'])
  })

  it('probes again when the version changes', async () => {
    const { server, look, has } = await watch({ product: 'ollama' })
    expect(has('tools')).toBe(true)
    server.version = '9.9.9'
    server.quirks = { ...server.quirks, tools: 'ignored' }
    await look(() => has('tools') === false)
  })

  it('does not probe again while nothing changes', async () => {
    const { server, clock, names } = await watch({ product: 'ollama' })
    const before = server.looks.length
    await clock.advance(15_000)
    await expect.poll(() => server.looks.length).toBeGreaterThan(before)
    expect(server.chats).toEqual([])
    expect(names()).toHaveLength(1)
  })

  it('withdraws the models of a server that is gone, and announces them when it is back', async () => {
    const { server, problems, look, names, has } = await watch()
    const port = Number(new URL(server.url).port)
    await server.stop()
    await look(() => names().length === 0)
    expect(problems).toEqual([expect.stringContaining('ECONNREFUSED')])
    const again = await startStandIn({ port, quirks: { bias: 'ignored' } })
    onTestFinished(() => again.stop())
    await look(() => names().length === 1, 2_000)
    expect(has('logit_bias')).toBe(false)
  })

  it('notices right away when a job finds the server gone', async () => {
    const { engine, server } = await serve()
    await server.stop()
    const gone = until(engine, () => engine.models().length === 0)
    await expect(run(engine, {})).rejects.toMatchObject({ retryable: true })
    await gone
    await expect(run(engine, {})).rejects.toThrow('not serving this model right now')
  })

  it.each([
    [503, 'loading', 'The server sent no answer', ['a', 'b']],
    [400, 'does not support chat', "The server can't chat with this model", ['a']],
  ])(
    'announces no model whose probe gets status %i (%s), until a later one succeeds',
    async (status, body, why, later) => {
      const { server, problems, clock, after, names } = await watch({ models: ['a'] })
      const refused: Fault = { type: 'status', status, body }
      server.faults.push(refused, refused)
      server.models = ['a', 'b']
      await clock.advance(15_000)
      await expect.poll(() => problems).toEqual([`Can't serve b: ${why}`])
      expect(names()).toEqual(['a'])
      await expect.poll(() => after(names)).toEqual(later)
    },
  )

  it('treats a feature whose probe failed as missing, and finds it later', async () => {
    const { server, look, after, names, has } = await watch({ models: ['a'] })
    const broken: Fault = { type: 'status', status: 500, body: 'oops' }
    // The third and the fourth request test tools.
    server.faults.push({ type: 'none' }, { type: 'none' }, broken, broken)
    server.models = ['b']
    await look(() => names()[0] === 'b')
    expect(has('tools')).toBe(false)
    await expect.poll(() => after(() => has('tools'))).toBe(true)
  })
})

describe('starting', () => {
  it('without a server says where it looked', async () => {
    const server = await startStandIn()
    await server.stop()
    const engine = createOpenAiServerEngine({ url: server.url })
    await expect(engine.start(new AbortController().signal)).rejects.toThrow(`No server found at ${server.url}`)
    expect(engine.models()).toEqual([])
  })

  it.each(['vllm', 'llama-server', 'ollama', 'other'] as const)(
    'with a missing or wrong key for %s says so',
    async (product) => {
      const server = await startStandIn({ product, key: 'right' })
      onTestFinished(() => server.stop())
      for (const key of [undefined, 'wrong']) {
        const engine = createOpenAiServerEngine({ url: server.url, ...(key && { key }) })
        await expect(engine.start(new AbortController().signal)).rejects.toThrow('wants the right API key')
      }
    },
  )

  it.each(['vllm', 'llama-server'] as const)('with patience and a wrong key for %s says so once', async (product) => {
    const clock = createManualClock()
    const server = await startStandIn({ product, key: 'right' })
    const problems: string[] = []
    const engine = createOpenAiServerEngine({
      url: server.url,
      key: 'wrong',
      clock,
      isPatient: true,
      onProblem: (text) => problems.push(text),
    })
    onTestFinished(async () => {
      await engine.stop()
      await server.stop()
    })
    await engine.start(new AbortController().signal)
    await expect.poll(() => problems).toEqual([expect.stringContaining('HEARTH_DEVICE_UPSTREAM_KEY')])
    const before = server.looks.length
    await clock.advance(15_000)
    await expect.poll(() => server.looks.length).toBeGreaterThan(before)
    expect(problems).toHaveLength(1)
  })

  it('without a model says so', async () => {
    await expect(serve({ models: [] })).rejects.toThrow('has no usable model')
  })

  it('with patience serves when the server comes', async () => {
    const clock = createManualClock()
    const gone = await startStandIn()
    const port = Number(new URL(gone.url).port)
    await gone.stop()
    const engine = createOpenAiServerEngine({ url: gone.url, clock, isPatient: true })
    await engine.start(new AbortController().signal)
    const server = await startStandIn({ port })
    onTestFinished(async () => {
      await engine.stop()
      await server.stop()
    })
    const found = until(engine, () => engine.models().length === 1)
    await clock.advance(2_000)
    await clock.advance(2_000)
    await found
  })

  it('can be aborted', async () => {
    const server = await startStandIn({ beforeChunk: () => new Promise(() => undefined) })
    const engine = createOpenAiServerEngine({ url: server.url })
    onTestFinished(async () => {
      await engine.stop()
      await server.stop()
    })
    const abort = new AbortController()
    const started = engine.start(abort.signal)
    await expect.poll(() => server.open).toBe(1)
    abort.abort(new Error('never mind'))
    await expect(started).rejects.toThrow('never mind')
  })
})
