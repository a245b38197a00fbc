import { describe, expect, it } from 'vitest'
import type { GuessMode } from '../../llama-options.ts'
import type { Token } from '../../native/native.ts'
import { openLoop, startGreedy, type GreedyOptions } from '../../testing/greedy-generation.ts'
import type { BatchLoop } from '../batch-loop.ts'
import { Sampler, type SamplerSettings } from '../sampling/sampler.ts'
import { useTinyModel } from '../../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 4, contextLength: 2048 })
const colors = await native.compileGrammar('root ::= "[" (("red" | "green" | "blue") ", "){30} "]"')

const open = (guessing: GuessMode, gpu: 'cuda' | false = false, exactSizes = native.exactSizes) =>
  openLoop(native, { gpu, exactSizes, guessing, now: stepClock() })

/** Every decode takes the same time, however many tokens it has and however busy the machine is. */
function stepClock(): () => number {
  let now = 0
  return () => (now += 10)
}

const turn = (role: string, text: string) => `<|im_start|>${role}\n${text}<|im_end|>\n`
const QUESTIONS = ['Tell me a story.', 'Describe Ada, 42, as JSON.', 'Count from 1 to 9.', 'Say hi in Japanese.']

/** The question was answered before, and the same answer is likely again. */
async function repeated(question: string): Promise<Token[]> {
  const asked = `${turn('user', question)}<|im_start|>assistant\n`
  const first = startGreedy(native, open('never'), native.vocabulary.tokenize(asked, true), { count: 60 })
  await first.ended
  const end = native.vocabulary.tokenize('\n', true)
  const again = native.vocabulary.tokenize(asked, true)
  return [...first.prompt, ...first.tokens, ...end, ...again]
}

/** The tokens of one generation for each prompt, all at once. */
async function write(loop: BatchLoop, prompts: readonly Token[][], options: () => GreedyOptions) {
  const runs = prompts.map((prompt) => startGreedy(native, loop, prompt, { count: 40, ...options() }))
  await Promise.all(runs.map(({ ended }) => ended))
  return runs.map(({ tokens }) => tokens)
}

const prompts = await Array.fromAsync(QUESTIONS, repeated)

const SETTINGS: Record<string, SamplerSettings> = {
  'temperature 0': { temperature: 0 },
  'temperature 1': { temperature: 1 },
  top_p: { temperature: 1.5, topP: 0.9 },
  'top_k and min_p': { temperature: 2, topK: 40, minP: 0.01 },
  penalties: { temperature: 0.7, frequencyPenalty: 0.4, presencePenalty: 0.2, repeatPenalty: 1.1 },
  logit_bias: { temperature: 1, logitBias: { 65: 3, 66: -100 } },
}

describe('guessing', () => {
  it.each(Object.entries(SETTINGS))('changes no token that is drawn with %s', async (_, settings) => {
    const options = () => ({ isRepeatable: true, sampler: new Sampler(native, settings, 1) })
    const expected = await write(open('never'), prompts, options)
    for (const mode of ['always', 'auto'] as const)
      for (const gpu of [false, 'cuda'] as const)
        expect(await write(open(mode, gpu), prompts, options)).toEqual(expected)
  })

  it('changes no token that a grammar allows', async () => {
    const prompt = await repeated('Tell me a story.')
    const options = () => {
      const sampler = new Sampler(native, { temperature: 1 }, 7)
      sampler.constrain(colors, [], [])
      return { count: 120, sampler }
    }
    const never = open('never')
    const expected = await write(never, [prompt], options)
    const always = open('always')
    expect(await write(always, [prompt], options)).toEqual(expected)
    expect(always.counts.decodes).toBeLessThan(never.counts.decodes)
  })

  it('takes a fraction of the decodes for a reply that quotes its prompt', async () => {
    const text = native.vocabulary.tokenize(
      'Rome is in Italy, Lima in Peru, Oslo in Norway, and Cairo in Egypt. '.repeat(4),
      false,
    )
    const quote = async (loop: BatchLoop) => {
      const run = startGreedy(native, loop, text, { count: text.length })
      run.draw = async () => ({ token: text[run.tokens.length]! })
      await run.ended
      expect(run.tokens).toEqual(text)
      return loop.counts
    }
    const plain = await quote(open('never'))
    const { decodes, generatedTokens } = await quote(open('auto'))
    expect(generatedTokens).toBe(plain.generatedTokens)
    expect(decodes).toBeLessThan(plain.decodes / 3)
  })

  it('learns from earlier replies of the same key, and of no other', async () => {
    const text = native.vocabulary.tokenize('{"city": "Rome", "river": "Tiber", "bridges": 30, "is_old": true}', false)
    const loop = open('auto')
    const decodesOf = async (name: string) => {
      const before = loop.counts.decodes
      const prompt = native.vocabulary.tokenize(`${turn('user', name)}<|im_start|>assistant\n`, true)
      const run = startGreedy(native, loop, prompt, { count: text.length, scope: { name } })
      run.draw = async () => ({ token: text[run.tokens.length]! })
      await run.ended
      return loop.counts.decodes - before
    }
    const first = await decodesOf('one')
    expect(await decodesOf('another')).toBe(first)
    expect(await decodesOf('one')).toBeLessThan(first / 2)
  })

  it('keeps decodes small enough for the numbers of single tokens', async () => {
    const text = native.vocabulary.tokenize('Rome is in Italy, and Oslo in Norway. '.repeat(40), false)
    const quote = async (exact: number, isRepeatable: boolean, streams: number) => {
      const loop = open('always', false, { short: 63, long: exact })
      const runs = Array.from({ length: streams }, () => {
        const run = startGreedy(native, loop, text.slice(0, 256), { count: 40, isRepeatable })
        run.draw = async () => ({ token: text[256 + run.tokens.length]! })
        return run
      })
      await Promise.all(runs.map(({ ended }) => ended))
      return loop.counts.decodes
    }
    const [lone, pairs] = [await quote(1, true, 1), await quote(2, true, 1)]
    expect(lone).toBeGreaterThanOrEqual(40)
    expect(pairs).toBeLessThan(lone)
    expect(pairs).toBeGreaterThanOrEqual(20)
    expect(await quote(63, true, 1)).toBeLessThan(pairs)
    expect(await quote(1, false, 1)).toBeLessThan(pairs)
    expect(await quote(1, true, 2)).toBeLessThan(lone)
  })

  it('leaves nothing in the slot that was not drawn', async () => {
    const prompt = await repeated('Describe Ada, 42, as JSON.')
    const turns = async (loop: BatchLoop) => {
      const [tokens] = await write(loop, [prompt], () => ({}))
      const next = [...prompt, ...tokens!, ...native.vocabulary.tokenize(turn('user', 'Hello'), true)]
      const second = startGreedy(native, loop, next, { count: 60 })
      await second.ended
      return { reused: second.reused, tokens: second.tokens }
    }
    const expected = await turns(open('never'))
    expect(await turns(open('always'))).toEqual(expected)
  })

  it('stays within the slot', async () => {
    const prompt = Array.from({ length: 400 }, () => native.vocabulary.tokenize(' la la la', false))
      .flat()
      .slice(0, 2_040)
    const run = startGreedy(native, open('always'), prompt, { count: 7 })
    await run.ended
    expect(run.tokens.length).toBeLessThanOrEqual(7)
  })
})
