import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { STARTER } from '../../models/starter.ts'
import { stateFolder } from '../../state/folder.ts'
import { describeEngine } from '../engine.contract.ts'
import { EngineError, type Engine, type EngineChange } from '../engine.ts'
import { askEngine } from '../testing/collect-reply.ts'
import { forkHost } from './process/host-process.ts'
import { createLlamaEngine, type LlamaWorld } from './llama-engine.ts'
import type { LlamaModelOptions } from './llama-options.ts'
import { greedy } from './testing/tiny-engine.ts'
import { TINY_MODEL_PATH } from './testing/tiny-model.ts'

const FEATURES = [
  'usage',
  'json_object',
  'json_schema',
  'tools',
  'logprobs',
  'n',
  'logit_bias',
  'reasoning_effort',
] as const

const createTiny = (options: Partial<LlamaModelOptions> = {}, world: LlamaWorld = {}) =>
  createLlamaEngine({ models: [{ name: 'tiny', path: TINY_MODEL_PATH, ...options }], threads: 1, gpu: false }, world)

describeEngine('llama on the tiny model', createTiny, {
  model: 'tiny',
  features: FEATURES,
  longQuestion: 'Tell me a story.',
  tokens: [
    { id: 65, text: 'A' },
    { id: 66, text: 'B' },
  ],
  toolQuestion: {
    question: 'What is the weather in Oslo?',
    tool: {
      name: 'get_weather',
      description: 'Get the weather',
      parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    },
  },
})

// The starter model is too large for the repository: tested where somebody has it.
const starter = process.env['HEARTH_STARTER_GGUF'] ?? join(stateFolder(undefined).models, STARTER.path)
if (existsSync(starter))
  describeEngine(
    'llama on the starter model',
    () => createLlamaEngine({ models: [{ name: 'starter', path: starter, contextLength: 2048 }], gpu: false }),
    {
      model: 'starter',
      features: FEATURES,
      longQuestion: 'Tell me a story.',
      tokens: [
        { id: 49, text: 'A' },
        { id: 50, text: 'B' },
      ],
    },
  )

describe('a llama engine whose process dies', () => {
  let engine: Engine
  afterEach(() => engine.stop())

  /** An engine, its processes and what it told. */
  async function open(restartMs: readonly number[] = [1, 1, 1, 1]) {
    const processes: ChildProcess[] = []
    const changes: EngineChange[] = []
    const listeners = new Set<() => void>()
    const fork = (...args: Parameters<typeof forkHost>) => {
      const child = forkHost(...args)
      processes.push(child)
      return child
    }
    engine = createTiny({}, { fork, restartMs })
    engine.onChange((change) => {
      changes.push(change)
      for (const listener of listeners) listener()
    })
    await engine.start(AbortSignal.timeout(60_000))
    const told = async (type: EngineChange['type'], count = 1) => {
      while (changes.filter((change) => change.type === type).length < count)
        await new Promise<void>((resolve) => listeners.add(resolve))
    }
    const kill = () => processes.at(-1)!.kill('SIGKILL')
    return { processes, changes, told, kill }
  }

  const endless = (question: string) => greedy(question, { maxTokens: 2000, logitBias: { '735': -100, '737': -100 } })

  async function readUntilDeath(question: string, onText: () => void): Promise<unknown> {
    try {
      for await (const event of engine.run(endless(question), AbortSignal.timeout(60_000), () => undefined))
        if (event.type === 'text') onText()
      return 'ended'
    } catch (error) {
      return error
    }
  }

  it('[W36] fails its jobs as crashed and retryable, starts again and serves', async () => {
    const { told, kill, changes } = await open()
    const waiting = readUntilDeath('Hello', () => undefined)
    const error = await readUntilDeath('Tell me a story.', kill)
    expect(error).toBeInstanceOf(EngineError)
    expect(error).toMatchObject({ code: 'failed', retryable: true, crashed: true })
    expect(await waiting).toMatchObject({ crashed: true })
    expect(engine.models()).toEqual([])
    await told('engine-restarted')
    expect(changes.map(({ type }) => type)).toEqual(['models-changed', 'engine-crashed', 'engine-restarted'])
    expect(engine.models()).toHaveLength(1)
    expect((await askEngine(engine, greedy('What is the capital of Italy?'))).text).toBe(
      'The capital of Italy is Rome.',
    )
  })

  it('[W36] refuses jobs as retryable while it restarts', async () => {
    const { told, kill } = await open([60_000])
    kill()
    await told('engine-crashed')
    await expect(askEngine(engine, greedy('Hello'))).rejects.toMatchObject({ retryable: true, crashed: false })
  })
})

describe('a llama engine that can’t start', () => {
  it('[W38] says which model and why', async () => {
    const engine = createTiny({ path: '/no/such/model.gguf' })
    await expect(engine.start(AbortSignal.timeout(60_000))).rejects.toThrow(/^Cannot load model "tiny": /)
    expect(engine.models()).toEqual([])
    await engine.stop()
  })

  it('[W38] stops loading when it is aborted', async () => {
    const engine = createTiny()
    const abort = new AbortController()
    const starting = engine.start(abort.signal)
    abort.abort(new Error('enough'))
    await expect(starting).rejects.toThrow('enough')
    await engine.stop()
  })

  it('[W35] leaves out features that are switched off', async () => {
    const engine = createTiny({ featuresOff: ['tools', 'n'], slots: 2, contextLength: 512, digest: 'abc' })
    await engine.start(AbortSignal.timeout(60_000))
    const features = FEATURES.filter((feature) => feature !== 'tools' && feature !== 'n')
    expect(engine.models()).toEqual([{ name: 'tiny', contextLength: 512, slots: 2, features, digest: 'abc' }])
    await engine.stop()
  })
})
