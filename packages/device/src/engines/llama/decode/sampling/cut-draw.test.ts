import { describe, expect, it } from 'vitest'
import { CutDraw, type Draw } from './cut-draw.ts'
import { MAX_TAIL } from './cut.ts'
import { LIKELIEST, NucleusDraw } from './nucleus-draw.ts'
import type { Native, NativeContext, SamplerConfig, Token } from '../../native/native.ts'
import { seededRandom } from './seeded-random.ts'
import { countDraws, distance, sum, weightsOf } from '../../testing/draw-shares.ts'
import { evaluatePrompt, readLogits } from '../../testing/evaluate-prompt.ts'
import { useTinyModel } from '../../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 512 })

// Many tokens can follow.
const text = '<|im_start|>user\nTell'
const at = await evaluatePrompt(native, text)
const logits = await readLogits(native, at)

const weigh = (temperature: number) => weightsOf(logits, temperature)
const count = (draw: Draw, times: number) => countDraws(draw, at, times)

describe('CutDraw', () => {
  it.each([0.5, 1, 2])('[W2] draws as often as the whole softmax says, at temperature %d', async (temperature) => {
    const counts = await count(new CutDraw(native, temperature, {}, 7), 5_000)
    expect(distance(counts, weigh(temperature))).toBeLessThan(1.3)
  })

  it('[W2] draws tokens behind the cut as often as they weigh, when it is their turn', async () => {
    const weights = weigh(1)
    const light = MAX_TAIL / native.vocabulary.size
    const tail = new Map([...weights].filter(([, weight]) => weight < light))
    const seeded = seededRandom(3)
    // The first and the last number of each draw are 0: look behind the cut, and take what was found there.
    let turn = 0
    const random = () => (turn++ % 3 === 1 ? seeded() : 0)
    const counts = await count(new CutDraw(native, 1, {}, 7, random), 1_500)
    expect(distance(counts, tail)).toBeLessThan(1.3)
  })

  it('repeats its draws with the same seed, and only with the same', async () => {
    const draws = async (seed: number) => {
      const draw = new CutDraw(native, 2, {}, seed)
      const tokens: Token[] = []
      while (tokens.length < 20) tokens.push(await draw.draw(at))
      draw.dispose()
      return tokens
    }
    expect(await draws(5)).toEqual(await draws(5))
    expect(await draws(5)).not.toEqual(await draws(6))
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
    const draw = new CutDraw(fake.native, 0.7, {}, 7)
    expect([await draw.draw(0), await draw.draw(0)]).toEqual([5, 5])
    expect(fake.configs.map(({ temperature, minP }) => ({ temperature, isCut: minP !== undefined }))).toEqual([
      { temperature: 0.7, isCut: true },
      { temperature: 0.7, isCut: false },
    ])
  })

  it('takes the first token of logits that are no numbers, without sorting them', async () => {
    const fake = createFake(Number.NaN)
    const draw = new CutDraw(fake.native, 0.7, {}, 7)
    expect([await draw.draw(0), await draw.draw(0)]).toEqual([5, 5])
    expect(fake.configs.at(-1)).toMatchObject({ temperature: 0 })
  })
})

describe('NucleusDraw', () => {
  /** The tokens that top_p keeps, found by sorting all of them, and what they weigh at a temperature. */
  function keptBy(topP: number, all: ReadonlyMap<Token, number>, temperature: number): Map<Token, number> {
    const sorted = [...weightsOf(all, 1)].toSorted((a, b) => b[1] - a[1])
    let left = topP * sum(sorted.map(([, weight]) => weight))
    let kept = 0
    do left -= sorted[kept++]![1]
    while (left > 0)
    const heated = weightsOf(all, temperature)
    return new Map(sorted.slice(0, kept).map(([token]) => [token, heated.get(token)!]))
  }

  it.each([0, 0.5, 0.9])('draws as often as the kept tokens weigh, with top_p %d', async (topP) => {
    const counts = await count(new NucleusDraw(native, { temperature: 1.5, topP }, {}, 7), 4_000)
    expect(distance(counts, keptBy(topP, logits, 1.5))).toBeLessThan(1.3)
  })

  it('[W2] draws from a flat distribution as often as its tokens weigh, and has nothing more sorted for it', async () => {
    const [likeliest] = [...logits].reduce((best, one) => (one[1] > best[1] ? one : best))
    const flat = new Map(logits).set(likeliest, logits.get(likeliest)! - 9)
    const kept = keptBy(0.95, flat, 1.5)
    expect(kept.size).toBeGreaterThan(LIKELIEST)
    const draws: unknown[] = []
    const ask = native.context.sampleToken.bind(native.context) as (...asked: unknown[]) => unknown
    const sampleToken = ((...asked: unknown[]) => {
      if (asked.length === 2) draws.push(asked)
      return ask(...asked)
    }) as NativeContext['sampleToken']
    const watched: Native = { ...native, context: { ...native.context, sampleToken } }
    const biases = { tokenBiasKeys: Uint32Array.of(likeliest), tokenBiasValues: Float32Array.of(-9) }
    const counts = await count(new NucleusDraw(watched, { temperature: 1.5, topP: 0.95 }, biases, 7), 2_000)
    expect(distance(counts, kept)).toBeLessThan(1.3)
    expect(draws).toEqual([])
  })

  it('leaves a distribution to the library that is so flat that the likely tokens can’t be enough', async () => {
    const listed = Array.from({ length: 2 * LIKELIEST }, (_, index) => (index % 2 === 0 ? index / 2 : 1))
    const asked: number[] = []
    const sampleToken = ((_at, _sampler, ...more: boolean[]) => {
      asked.push(more.indexOf(true))
      return Promise.resolve(more.length === 0 ? 5 : [5, undefined, undefined, more[2] ? listed : undefined, 9_000])
    }) as NativeContext['sampleToken']
    const flat: Native = { ...native, context: { ...native.context, sampleToken } }
    expect(await count(new NucleusDraw(flat, { temperature: 1, topP: 0.9 }, {}, 7), 1)).toEqual(new Map([[5, 1]]))
    // The weight, the likeliest tokens, and then the draw itself.
    expect(asked).toEqual([3, 2, -1])
  })
})
