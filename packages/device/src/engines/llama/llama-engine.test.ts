import { FEATURES, type ChatJob } from '@hearth/protocol'
import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, getPriority } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { STARTER } from '../../models/pull/starter.ts'
import { stateFolder } from '../../state/folder.ts'
import { describeEngine } from '../engine.contract.ts'
import { EngineError, NoRoomError, type Engine, type Room } from '../engine.ts'
import { askEngine } from '../testing/collect-reply.ts'
import { TINY_CONTRACT } from '../testing/tiny-contract.ts'
import { createLlamaEngine } from './llama-engine.ts'
import type { LlamaOptions } from './llama-options.ts'
import { forkHost, type ForkHost } from './process/host-process.ts'
import { greedy, WEATHER } from './testing/tiny-engine.ts'
import { TINY_MODEL_PATH } from './testing/tiny-model.ts'

/** The device adds the other two to its models, whatever the engine can do. */
const OWN_FEATURES = FEATURES.filter((feature) => feature !== 'web_search' && feature !== 'sealed')

/** Set HEARTH_TEST_GPU=cuda (or vulkan, metal) to run the suites on your GPU. */
const gpu = (process.env['HEARTH_TEST_GPU'] as LlamaOptions['gpu']) ?? false

const createTiny = (options: Partial<LlamaOptions> = {}, fork?: ForkHost) =>
  createLlamaEngine({ name: 'tiny', path: TINY_MODEL_PATH, threads: 1, gpu, ...options }, fork)

async function startTiny(options: Partial<LlamaOptions> = {}, room?: Room, fork?: ForkHost) {
  const engine = createTiny(options, fork)
  onTestFinished(() => engine.stop())
  await engine.start(AbortSignal.timeout(240_000), room)
  return engine
}

const CONTRACT = { ...TINY_CONTRACT, features: OWN_FEATURES, isSteady: gpu === false }

describeEngine('llama on the tiny model', () => createTiny(), CONTRACT)

// The starter model is too large for the repository, so it is only tested on machines that have it.
const starter = process.env['HEARTH_STARTER_GGUF'] ?? join(stateFolder(undefined).models, STARTER.path)
if (existsSync(starter)) {
  const { toolQuestion: _, ...rest } = CONTRACT
  describeEngine(
    'llama on the starter model',
    () => createLlamaEngine({ name: 'starter', path: starter, contextLength: 2048, gpu }),
    {
      ...rest,
      model: 'starter',
      tokens: [
        { id: 49, text: 'A' },
        { id: 50, text: 'B' },
      ],
    },
  )
}

describe('a llama engine that evaluates every guess', () => {
  const schema = {
    type: 'object',
    properties: { name: { type: 'string', maxLength: 12 }, kind: { enum: ['cat', 'dog'] }, age: { type: 'integer' } },
    required: ['name', 'kind', 'age'],
  }
  const story = (rest: Partial<ChatJob>) => greedy('Tell me a story.', { maxTokens: 48, ...rest })
  const jobs = [
    story({}),
    story({ n: 3, stop: ['a'] }),
    story({ logprobs: { top: 3 } }),
    story({ logitBias: { '65': 100 }, maxTokens: 8 }),
    story({ responseFormat: { type: 'json_object' } }),
    story({ responseFormat: { type: 'json_schema', name: 'pet', schema } }),
    greedy('Count from 1 to 7.', { frequencyPenalty: 0.5 }),
    greedy('What is the weather in Oslo?', { tools: [WEATHER] }),
  ]

  it('gives the replies of one that guesses nothing, one by one and at once', async () => {
    const [plain, guessing] = [await startTiny({ guessing: 'never' }), await startTiny({ guessing: 'always' })]
    const answer = async (engine: Engine, job: ChatJob) => {
      const { texts, calls, finishes, usage, logprobs } = await askEngine(engine, job)
      const called = calls.map(({ name, arguments: written }) => ({ name, written }))
      return { texts, called, finishes, tokens: usage?.completionTokens, drawn: logprobs.map(({ token }) => token) }
    }
    const expected = []
    for (const job of jobs) expected.push(await answer(plain, job))
    for (const [index, job] of jobs.entries()) expect(await answer(guessing, job)).toEqual(expected[index])
    // On a GPU, near ties fall differently next to other jobs.
    if (gpu === false) expect(await Promise.all(jobs.map((job) => answer(guessing, job)))).toEqual(expected)
  })
})

describe('a llama engine with another chat template', () => {
  const SHORT = '{% for message in messages %}{{ message.content }}{% endfor %}'
  const LONG = `${'And again. '.repeat(20)}${SHORT}`

  it('[E60b] changes it between jobs, and fails jobs whose template doesn’t work', async () => {
    const engine = await startTiny({ slots: 1, contextLength: 512, chatTemplate: SHORT })
    const count = async (chatTemplate?: string): Promise<number> => {
      const job = greedy('Hello', { maxTokens: 1 })
      const { usage } = await askEngine(engine, chatTemplate === undefined ? job : { ...job, chatTemplate })
      return usage!.promptTokens
    }
    const short = await count(SHORT)
    expect(await count(LONG)).toBeGreaterThan(short + 20)
    await expect(count('{{ nothing')).rejects.toThrow(/chat template .* doesn't work/)
    const own = await count()
    expect(own).toBeGreaterThan(short)
    expect(await count(SHORT)).toBe(short)
  })
})

describe('a llama engine beside other models', () => {
  /** Others that hold this much until they make room. */
  const others = (bytes: number, answer: 'made' | 'take-less' | 'give-up'): Room & { asked: number } => {
    let held = { ram: bytes, gpu: 0 }
    return {
      asked: 0,
      held: () => held,
      evictable: () => held,
      make() {
        this.asked += 1
        held = { ram: 0, gpu: 0 }
        return Promise.resolve(answer)
      },
    }
  }
  const limit = { memoryLimit: 600e6, gpu: false } as const

  it('has them make room if it does not fit into the memory that is left', async () => {
    const room = others(500e6, 'made')
    const engine = await startTiny(limit, room)
    expect(room.asked).toBe(1)
    expect(engine.memory!.ram).toBeLessThan(600e6)
    expect((await askEngine(engine, greedy('What is the capital of Italy?'))).text).toBe(
      'The capital of Italy is Rome.',
    )
  })

  it('gets what its owner set, and asks them for nothing if it fits beside them', async () => {
    const room = others(50e6, 'made')
    const set = { featuresOff: ['tools', 'n'], slots: 2, contextLength: 512, digest: 'abc' } as const
    const engine = await startTiny({ ...limit, ...set }, room)
    expect(room.asked).toBe(0)
    const features = OWN_FEATURES.filter((feature) => feature !== 'tools' && feature !== 'n')
    const why = "512 of the model's 2,048 tokens, as set on the device"
    const sizing = { trainedLength: 2048, cacheType: 'f16', gpuLayers: 0, layers: 4, why }
    expect(engine.models()).toEqual([{ name: 'tiny', contextLength: 512, slots: 2, features, digest: 'abc', sizing }])
  })

  it('is not loaded if they stay', async () => {
    await expect(startTiny(limit, others(500e6, 'give-up'))).rejects.toThrow(NoRoomError)
  })
})

describe('the process of a llama engine', () => {
  it('leaves the CPU to others; if it dies, its jobs fail as crashed and retryable, and the engine says so', async () => {
    const processes: ChildProcess[] = []
    const engine = await startTiny({}, undefined, (options) => {
      const child = forkHost(options)
      processes.push(child)
      return child
    })
    expect(getPriority(processes[0]!.pid)).toBeGreaterThanOrEqual(constants.priority.PRIORITY_BELOW_NORMAL)
    const endless = (question: string) => greedy(question, { maxTokens: 2000, logitBias: { '735': -100, '737': -100 } })
    const read = async (question: string, onText: () => void) => {
      for await (const event of engine.run(endless(question), AbortSignal.timeout(240_000), () => undefined))
        if (event.type === 'text') onText()
    }
    const waiting = expect(read('Hello', () => undefined)).rejects.toMatchObject({ crashed: true })
    const running = read('Tell me a story.', () => processes[0]!.kill('SIGSEGV'))
    await expect(running).rejects.toBeInstanceOf(EngineError)
    await expect(running).rejects.toMatchObject({ code: 'failed', retryable: true, crashed: true })
    await waiting
    expect(engine.models()).toEqual([])
    expect(await engine.ended).toMatchObject({ why: expect.stringContaining('SIGSEGV'), cause: 'crash' })
  })
})

describe('a llama engine that can’t start', () => {
  it('says which model and why', async () => {
    const engine = createTiny({ path: '/no/such/model.gguf' })
    await expect(engine.start(AbortSignal.timeout(240_000))).rejects.toThrow(/^Can't load model "tiny": /)
    expect(engine.models()).toEqual([])
    await engine.stop()
  })

  it('stops loading when it is aborted', async () => {
    const engine = createTiny()
    const abort = new AbortController()
    const starting = engine.start(abort.signal)
    abort.abort(new Error('enough'))
    await expect(starting).rejects.toThrow('enough')
    await engine.stop()
  })
})
