import { describe, expect, it } from 'vitest'
import type { NativeContext, Token } from '../../native/native.ts'
import { countDraws, distance, weightsOf } from '../../testing/draw-shares.ts'
import { evaluatePrompt, readLogits } from '../../testing/evaluate-prompt.ts'
import type { Draw } from './cut-draw.ts'
import { LIKELIEST } from './nucleus-draw.ts'
import { PeakedDraw } from './peaked-draw.ts'
import { seededRandom } from './seeded-random.ts'
import { useTinyModel } from '../../testing/use-tiny.ts'

const WARM = 1
const HOT = 4

const native = await useTinyModel({ slots: 1, contextLength: 512 })

const at = await evaluatePrompt(native, '<|im_start|>user\nTell')
const [[, highest], ...others] = [...(await readLogits(native, at))] as [[Token, number], ...[Token, number][]]
const raised = others.slice(0, 40)
/** Forty tokens outweigh all others. */
const biases = {
  tokenBiasKeys: Uint32Array.from(raised, ([token]) => token),
  tokenBiasValues: Float32Array.from(raised, ([, logit], index) => highest - logit + 12 - index / 20),
}
const logits = await readLogits(native, at, biases)

/** Draws the token -2, which no model has. */
function createOther(): Draw & { draws: number } {
  return { draws: 0, draw: otherToken, dispose: () => undefined }
}

function otherToken(this: { draws: number }): Promise<Token> {
  this.draws++
  return Promise.resolve(-2)
}

describe('PeakedDraw', () => {
  it('[W2] draws as often as the whole softmax says, and needs no other draw', async () => {
    const counts = await countDraws(new PeakedDraw(native, WARM, biases, 7, createOther()), at, 5_000)
    expect(counts.size).toBe(40)
    expect(distance(counts, weightsOf(logits, WARM))).toBeLessThan(1.3)
  })

  it('[W2] draws the same shares of what was prepared', async () => {
    const draw = new PeakedDraw(native, WARM, biases, 7, createOther())
    const prepared: Draw = {
      draw: (place) => (draw.prepare(place), draw.draw(place)),
      dispose: () => draw.dispose(),
    }
    expect(distance(await countDraws(prepared, at, 3_000), weightsOf(logits, WARM))).toBeLessThan(1.3)
  })

  it('[W2] draws the other tokens as often as they weigh, when it is their turn', async () => {
    const likeliest = [...logits.keys()].slice(0, LIKELIEST)
    const weights = weightsOf(logits, WARM)
    for (const token of likeliest) weights.delete(token)
    const seeded = seededRandom(3)
    // The second and the last number of each draw are 0: look at the others, and take what was found there.
    let turn = 0
    const random = () => (turn++ % 4 === 2 ? seeded() : 0)
    const counts = await countDraws(new PeakedDraw(native, WARM, biases, 7, createOther(), random), at, 1_500)
    expect(distance(counts, weights)).toBeLessThan(1.3)
  })

  it('leaves draws to another one where too many tokens are likely, and hardly tries any more', async () => {
    const other = createOther()
    let tries = 0
    const sampleToken = ((...given: Parameters<NativeContext['sampleToken']>) => {
      tries++
      return native.context.sampleToken(...given)
    }) as NativeContext['sampleToken']
    const counted = { ...native, context: { ...native.context, sampleToken } }
    expect(await countDraws(new PeakedDraw(counted, HOT, biases, 7, other), at, 100)).toEqual(new Map([[-2, 100]]))
    expect(other.draws).toBe(100)
    expect(tries).toBeLessThan(10)
  })

  it('repeats its draws with the same seed, and only with the same, prepared or not', async () => {
    const draws = async (seed: number, isPrepared: boolean) => {
      const draw = new PeakedDraw(native, WARM, biases, seed, createOther())
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
    const draw = new PeakedDraw(native, WARM, biases, 7, createOther())
    expect(draw.settle()).toBeUndefined()
    draw.prepare(at)
    await draw.settle()
    expect(draw.settle()).toBeUndefined()
    draw.dispose()
  })
})
