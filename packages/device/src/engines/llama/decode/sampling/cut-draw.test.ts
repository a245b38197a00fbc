import { describe, expect, it } from 'vitest'
import { CutDraw } from './cut-draw.ts'
import { MAX_TAIL } from './cut.ts'
import type { Native, NativeContext, SamplerConfig, Token } from '../../native/native.ts'
import { seededRandom } from './seeded-random.ts'
import { countDraws, expectShares, impliedShares } from '../../testing/draw-shares.ts'
import { evaluatePrompt, readLogits } from '../../testing/evaluate-prompt.ts'
import { useTinyModel } from '../../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 512 })

// Many tokens can follow.
const text = '<|im_start|>user\nTell'
const at = await evaluatePrompt(native, text)
const logits = await readLogits(native, at)

const plain = () => ({})

describe('CutDraw', () => {
  it.each([0.5, 1, 2])('draws as often as the whole softmax says, at temperature %d', async (temperature) => {
    const counts = await countDraws(new CutDraw(native, temperature, plain, 7), at, 5_000)
    expectShares(
      counts,
      impliedShares(logits, () => true, { temperature }),
    )
  })

  it('draws tokens behind the cut as often as they weigh, when it is their turn', async () => {
    const light = Math.max(...logits.values()) + Math.log(MAX_TAIL / native.vocabulary.size)
    const isBehind = (token: Token) => logits.get(token)! < light
    const seeded = seededRandom(3)
    // The first and the last number of each draw are 0: look behind the cut, and take what was found there.
    let turn = 0
    const random = () => (turn++ % 3 === 1 ? seeded() : 0)
    const counts = await countDraws(new CutDraw(native, 1, plain, 7, random), at, 1_500)
    expectShares(counts, impliedShares(logits, isBehind, { temperature: 1 }))
  })
})

describe('CutDraw on odd logits', () => {
  /** A library that always returns token 5 and this weight. */
  function createFake(weight: number): { native: Native; configs: SamplerConfig[] } {
    const configs: SamplerConfig[] = []
    const sampler = { applyConfig: (config: SamplerConfig) => configs.push(config), dispose: () => undefined }
    const answer = (more: number) => (more === 0 ? 5 : [5, undefined, undefined, [], weight])
    const sampleToken = ((_at, _sampler, ...more: unknown[]) =>
      Promise.resolve(answer(more.length))) as NativeContext['sampleToken']
    return { native: { ...native, createSampler: () => sampler, context: { ...native.context, sampleToken } }, configs }
  }

  it('draws from the whole vocabulary once so many tokens are likely that a cut takes longer', async () => {
    const fake = createFake(20_000)
    const draw = new CutDraw(fake.native, 0.7, plain, 7)
    expect([await draw.draw(0), await draw.draw(0)]).toEqual([5, 5])
    expect(fake.configs.map(({ temperature, minP }) => ({ temperature, isCut: minP !== undefined }))).toEqual([
      { temperature: 0.7, isCut: true },
      { temperature: 0.7, isCut: false },
    ])
  })

  it('takes the first token of logits that are no numbers, without sorting them', async () => {
    const fake = createFake(Number.NaN)
    const draw = new CutDraw(fake.native, 0.7, plain, 7)
    expect([await draw.draw(0), await draw.draw(0)]).toEqual([5, 5])
    expect(fake.configs.at(-1)).toMatchObject({ temperature: 0 })
  })
})
