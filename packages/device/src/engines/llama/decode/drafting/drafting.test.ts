import { tmpdir } from 'node:os'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { GuessMode } from '../../llama-options.ts'
import type { DraftModel, Grammar, Native, Token } from '../../native/native.ts'
import { startGreedy, writeAll, type GreedyOptions } from '../../testing/greedy-generation.ts'
import { replacing } from '../../testing/replacing.ts'
import { writeRandomLlama } from '../../testing/random-llama.ts'
import { loadTinyModel, TINY_MODEL_PATH } from '../../testing/tiny-model.ts'
import { BatchLoop, type BatchLoopOptions } from '../batch-loop.ts'
import { Sampler, type SamplerSettings } from '../sampling/sampler.ts'

const DRAFTS = ['the model itself', 'a model that writes nonsense'] as const
type DraftName = (typeof DRAFTS)[number]

const folder = mkdtempSync(join(tmpdir(), 'hearth-draft-'))
/** Of drafts that should have worked. */
const failures: unknown[] = []
const natives = new Map<DraftName, Native>()
let native: Native
let colors: Grammar
beforeAll(async () => {
  const nonsense = join(folder, 'nonsense.gguf')
  writeRandomLlama(nonsense, { seed: 3 })
  const size = { slots: 4, contextLength: 2048 }
  for (const [name, path] of [
    [DRAFTS[0], TINY_MODEL_PATH],
    [DRAFTS[1], nonsense],
  ] as const)
    natives.set(name, await loadTinyModel({ ...size, draft: { name, path } }))
  native = natives.get('the model itself')!
  colors = await native.compileGrammar('root ::= "[" (("red" | "green" | "blue") ", "){30} "]"')
})
afterAll(async () => {
  for (const one of natives.values()) await one.dispose()
  rmSync(folder, { recursive: true })
})

afterEach(() => expect(failures).toEqual([]))

const turn = (role: string, text: string) => `<|im_start|>${role}\n${text}<|im_end|>\n`
const QUESTIONS = ['Tell me a story.', 'Describe Ada, 42, as JSON.', 'Count from 1 to 9.', 'Say hi in Japanese.']
const asked = (question: string) => native.vocabulary.tokenize(`${turn('user', question)}<|im_start|>assistant\n`, true)

interface LoopOptions extends Partial<BatchLoopOptions> {
  mode?: GuessMode
  draft?: DraftModel | undefined
}

function draftOf(name: DraftName): DraftModel {
  return natives.get(name)!.draft!
}

function openLoop({ mode = 'always', draft, ...rest }: LoopOptions): BatchLoop {
  for (const { context } of [native, ...(draft === undefined ? [] : [draft])])
    for (let slot = 0; slot < native.slots; slot++) context.disposeSequence(slot)
  const onDraftFailure = (error: unknown) => failures.push(error)
  return new BatchLoop(native.context, { ...native, guessing: mode, draft, onDraftFailure, ...rest })
}

const write = (loop: BatchLoop, prompts: readonly Token[][], options: () => GreedyOptions) =>
  writeAll(native, loop, prompts, options)

const SETTINGS: Record<string, SamplerSettings> = {
  'temperature 0': { temperature: 0 },
  'temperature 1': { temperature: 1 },
  top_p: { temperature: 1, topP: 0.9 },
  penalties: { temperature: 0.8, frequencyPenalty: 0.5, presencePenalty: 0.5 },
}

describe.each(DRAFTS)('a draft that is %s', (name) => {
  it.each(Object.entries(SETTINGS))('[W1a] changes no token that is drawn with %s', async (_, settings) => {
    const prompts = QUESTIONS.map(asked)
    for (const seed of [1, 2]) {
      const options = () => ({ isRepeatable: true, sampler: new Sampler(native, settings, seed) })
      const expected = await write(openLoop({ mode: 'never' }), prompts, options)
      for (const mode of ['always', 'auto'] as const)
        for (const gpu of [false, 'cuda'] as const)
          expect(await write(openLoop({ mode, gpu, draft: draftOf(name) }), prompts, options)).toEqual(expected)
    }
  })

  it('[W1a] changes no token that a grammar allows', async () => {
    const options = () => {
      const sampler = new Sampler(native, { temperature: 1 }, 7)
      sampler.constrain(colors, [], [])
      return { count: 120, sampler }
    }
    const expected = await write(openLoop({ mode: 'never' }), [asked('Hello')], options)
    expect(await write(openLoop({ draft: draftOf(name) }), [asked('Hello')], options)).toEqual(expected)
  })

  it('changes nothing for streams that take over the slot of another, or leave early', async () => {
    const turns = async (loop: BatchLoop) => {
      const [first] = await write(loop, [asked('Tell me a story.')], () => ({}))
      const cancelled = startGreedy(native, loop, asked('Count from 1 to 9.'), {
        onToken: () => cancelled.tokens.length === 5 && loop.cancel(cancelled),
        count: 60,
      })
      const next = [...asked('Tell me a story.'), ...first!, ...asked('Say hi in Japanese.')]
      const [beside] = await write(loop, [next], () => ({}))
      await cancelled.ended
      return [first, beside, ...(await write(loop, [...QUESTIONS, ...QUESTIONS].map(asked), () => ({ count: 12 })))]
    }
    const expected = await turns(openLoop({ mode: 'never' }))
    expect(await turns(openLoop({ draft: draftOf(name) }))).toEqual(expected)
  })

  it('stays within the slot', async () => {
    const prompt = Array.from({ length: 400 }, (_, index) => native.vocabulary.tokenize(` la ${index % 7}`, false))
      .flat()
      .slice(0, 1_990)
    const loop = openLoop({ draft: draftOf(name) })
    const run = startGreedy(native, loop, prompt, { count: 57 })
    await run.ended
    const plain = startGreedy(native, openLoop({ mode: 'never' }), prompt, { count: 57 })
    await plain.ended
    expect(run.tokens).toEqual(plain.tokens)
  })
})

describe('drafting', () => {
  it('takes a fraction of the decodes if the draft is always right', async () => {
    const count = async (options: LoopOptions) => {
      const loop = openLoop(options)
      await write(loop, [asked('Tell me a story.')], () => ({ count: 60 }))
      return loop.counts
    }
    const plain = await count({ mode: 'never' })
    const drafted = await count({ draft: draftOf('the model itself') })
    expect(drafted.generatedTokens).toBe(plain.generatedTokens)
    expect(drafted.decodes).toBeLessThan(plain.decodes / 2)
  })

  it('goes on without the draft when it fails', async () => {
    const expected = await write(openLoop({ mode: 'never' }), QUESTIONS.map(asked), () => ({}))
    const expectedFailures: unknown[] = []
    const draft = draftOf('the model itself')
    let decodes = 0
    const decodeBatch = () => (++decodes > 3 ? Promise.reject(new Error('no luck')) : draft.context.decodeBatch())
    const context = replacing(draft.context, { decodeBatch })
    const loop = openLoop({ draft: { ...draft, context }, onDraftFailure: (error) => expectedFailures.push(error) })
    expect(await write(loop, QUESTIONS.map(asked), () => ({}))).toEqual(expected)
    expect(expectedFailures).toEqual([new Error('no luck')])
    expect(decodes).toBe(4)
  })
})
