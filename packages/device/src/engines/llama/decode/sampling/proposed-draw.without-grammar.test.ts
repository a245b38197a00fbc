import { describe, expect, it } from 'vitest'
import type { NativeContext, Token } from '../../native/native.ts'
import { countDraws, expectShares, impliedShares } from '../../testing/draw-shares.ts'
import { evaluatePrompt, readLogits } from '../../testing/evaluate-prompt.ts'
import type { Draw } from './cut-draw.ts'
import type { Cuts } from './cut.ts'
import { ProposedDraw } from './proposed-draw.ts'
import { Sampler, type SamplerSettings } from './sampler.ts'
import { seededRandom } from './seeded-random.ts'
import type { Shape } from './shaped-sampler.ts'
import { LIKELIEST } from './token-lists.ts'
import { useTinyModel } from '../../testing/use-tiny.ts'

const WARM = 1
const HOT = 4

const native = await useTinyModel({ slots: 1, contextLength: 512 })

// Many tokens can follow.
const at = await evaluatePrompt(native, '<|im_start|>user\nTell')
const [[first, highest], ...others] = [...(await readLogits(native, at))] as [[Token, number], ...[Token, number][]]
/** Forty tokens outweigh all others. */
const PEAKED = toShape(others.slice(0, 40).map(([token, logit], index) => [token, highest - logit + 12 - index / 20]))
/** No token is likely. */
const FLAT = toShape([[first, -9]])

function toShape(biases: readonly [Token, number][]): Shape {
  return {
    tokenBiasKeys: Uint32Array.from(biases, ([token]) => token),
    tokenBiasValues: Float32Array.from(biases, ([, bias]) => bias),
  }
}

/** Draws the token -2, which no model has. */
function createOther(): Draw & { draws: number } {
  return { draws: 0, draw: otherToken, dispose: () => undefined }
}

function otherToken(this: { draws: number }): Promise<Token> {
  this.draws++
  return Promise.resolve(-2)
}

/** The model, and how often it was asked for a token. */
function countingCalls() {
  let calls = 0
  const sampleToken = ((...given: Parameters<NativeContext['sampleToken']>) => {
    calls++
    return native.context.sampleToken(...given)
  }) as NativeContext['sampleToken']
  return { model: { ...native, context: { ...native.context, sampleToken } }, calls: () => calls }
}

function openPeaked(random = seededRandom(7), temperature = WARM, model = native, other = createOther()): ProposedDraw {
  return new ProposedDraw(model, { temperature, shape: () => PEAKED, random }, undefined, other)
}

describe('ProposedDraw without a grammar', () => {
  it.each<[string, Shape, Cuts & { temperature: number }]>([
    ['top_p 0', {}, { temperature: 1.5, topP: 0 }],
    ['top_p 0.5', {}, { temperature: 1.5, topP: 0.5 }],
    ['top_p 0.9', {}, { temperature: 1.5, topP: 0.9 }],
    ['top_p 0.9 and low temperature', {}, { temperature: 0.2, topP: 0.9 }],
    ['top_k 3', {}, { temperature: 2, topK: 3 }],
    ['top_k beyond what is listed', {}, { temperature: 2, topK: 100, topP: 0.99 }],
    ['min_p', {}, { temperature: 2, minP: 0.01 }],
    ['all of them', {}, { temperature: 1, topK: 20, topP: 0.95, minP: 0.02 }],
    ['top_p where no token is likely', FLAT, { temperature: 1.5, topP: 0.95 }],
    ['min_p where no token is likely', FLAT, { temperature: 0.7, minP: 0.001 }],
    ['top_p where few tokens are', PEAKED, { temperature: 1.5, topP: 0.95 }],
  ])('draws as often as the kept tokens weigh: %s', async (_, shape, settings) => {
    const shares = impliedShares(await readLogits(native, at, shape), () => true, settings)
    const draw = new ProposedDraw(native, { ...settings, shape: () => shape, random: seededRandom(7) })
    expectShares(await countDraws(draw, at, 3_000), shares)
  })

  it('draws as often as the whole softmax says where few tokens are likely, and needs no other draw', async () => {
    const counts = await countDraws(openPeaked(), at, 5_000)
    expect(counts.size).toBe(40)
    expectShares(
      counts,
      impliedShares(await readLogits(native, at, PEAKED), () => true, { temperature: WARM }),
    )
  })

  it('draws the other tokens as often as they weigh, when it is their turn', async () => {
    const logits = await readLogits(native, at, PEAKED)
    const others = new Set([...logits.keys()].slice(LIKELIEST))
    const seeded = seededRandom(3)
    // Propose the others, find them heavy enough, draw one of them, and take it.
    let turn = 0
    const random = () => [1 - 2 ** -53, 0, seeded(), 0][turn++ % 4]!
    const shares = impliedShares(logits, (token) => others.has(token), { temperature: WARM })
    expectShares(await countDraws(openPeaked(random), at, 1_500), shares)
  })

  it('leaves draws to another one where too many tokens are likely, and hardly looks any more', async () => {
    const other = createOther()
    const { model, calls } = countingCalls()
    const draw = openPeaked(seededRandom(7), HOT, model, other)
    expect(await countDraws(draw, at, 100)).toEqual(new Map([[-2, 100]]))
    expect(other.draws).toBe(100)
    expect(calls()).toBeLessThan(10)
  })

  it('asks the library once for nearly every draw at a low temperature', async () => {
    const { model, calls } = countingCalls()
    const settings = { temperature: 0.2, topP: 0.9, shape: () => ({}), random: seededRandom(7) }
    await countDraws(new ProposedDraw(model, settings), at, 200)
    expect(calls()).toBeLessThan(220)
  })

  it('repeats its draws with the same seed, and only with the same, prepared or not', async () => {
    const draws = async (seed: number, isPrepared: boolean) => {
      const draw = openPeaked(seededRandom(seed))
      const tokens: Token[] = []
      while (tokens.length < 30) {
        if (isPrepared) draw.prepare(at)
        tokens.push(await draw.draw(at))
      }
      draw.dispose()
      return tokens
    }
    expect(await draws(5, true)).toEqual(await draws(5, false))
    expect(await draws(5, true)).not.toEqual(await draws(6, true))
  })

  it('settles when nothing is being read any more', async () => {
    const draw = openPeaked()
    expect(draw.settle()).toBeUndefined()
    draw.prepare(at)
    await draw.settle()
    expect(draw.settle()).toBeUndefined()
    draw.dispose()
  })
})

describe('penalties', () => {
  const drawn = [first, first, ...others.slice(0, 6).map(([token]) => token), others[2]![0]]

  it.each<SamplerSettings & { temperature: number }>([
    { temperature: 1, frequencyPenalty: 0.4 },
    { temperature: 0.2, topP: 0.9, frequencyPenalty: 0.4 },
    { temperature: 1.5, topP: 0.9, presencePenalty: 1.5 },
    { temperature: 1, topK: 20, frequencyPenalty: -0.5, presencePenalty: 0.3, logitBias: { [first]: -1 } },
    { temperature: 0.7, minP: 0.05, repeatPenalty: 1.2, frequencyPenalty: 0.2, logitBias: { [first]: 1 } },
    { temperature: 1, repeatPenalty: 1.3 },
  ])('change the shares as the library does when it counts the tokens: %j', async (settings) => {
    const biases = Object.entries(settings.logitBias ?? {}).map(([id, bias]): [Token, number] => [Number(id), bias])
    const counted = await readLogits(native, at, {
      ...toShape(biases),
      repeatPenalty: settings.repeatPenalty ?? 1,
      repeatPenaltyMaxTokens: 512,
      repeatPenaltyTokens: Uint32Array.from(drawn),
      repeatPenaltyFrequencyPenalty: settings.frequencyPenalty ?? 0,
      repeatPenaltyPresencePenalty: settings.presencePenalty ?? 0,
    })
    const counts = new Map<Token, number>()
    for (let seed = 1; seed <= 2_000; seed++) {
      const sampler = new Sampler(native, settings, seed)
      for (const token of drawn) sampler.force(token)
      // Nothing that is prepared may outlive the tokens that come before.
      sampler.prepare(at)
      const token = await sampler.draw(at)
      counts.set(token, (counts.get(token) ?? 0) + 1)
      sampler.dispose()
    }
    expectShares(
      counts,
      impliedShares(counted, () => true, settings),
    )
  })
})
