import { describe, expect, it } from 'vitest'
import {
  MAX_TAIL,
  askProbability,
  drawWeighted,
  headThreshold,
  heatedWeight,
  keepLikeliest,
  negligibleThreshold,
  tailProbability,
  withoutRounding,
} from './cut.ts'
import { seededRandom } from './seeded-random.ts'

const random = seededRandom(20261115)
const between = (from: number, to: number) => from + (to - from) * random()
const bell = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** The shapes that logits take: flat, wide, with a few favorites, falling like word frequencies, in groups, with banned tokens. */
const SHAPES: Record<string, (size: number) => number[]> = {
  even: (size) => Array.from({ length: size }, () => 3),
  narrow: (size) => Array.from({ length: size }, () => bell() * 0.1),
  wide: (size) => Array.from({ length: size }, () => bell() * between(1, 4)),
  'very wide': (size) => Array.from({ length: size }, () => bell() * 12 + 40),
  certain: (size) => Array.from({ length: size }, (_, index) => (index === 3 ? 30 : bell())),
  favorites: (size) => Array.from({ length: size }, (_, index) => (index % 97 === 0 ? 12 + bell() : bell() * 2)),
  frequencies: (size) => Array.from({ length: size }, (_, index) => -Math.log(index + 1) * between(1, 2)),
  groups: (size) => Array.from({ length: size }, (_, index) => -9.2 * (index % 3)),
  'just below the threshold': (size) =>
    Array.from({ length: size }, (_, index) => (index === 0 ? 0 : Math.log((MAX_TAIL * 0.99) / size))),
  banned: (size) =>
    Array.from({ length: size }, (_, index) => (index % 2 === 0 ? Number.NEGATIVE_INFINITY : bell() * 3)),
}
const SIZES = [50, 742, 20_000]
const TEMPERATURES = [0.2, 0.8, 1, 2]

/** Weights as the native sampler computes them, and which tokens it keeps: it compares before it applies the temperature. */
function split(logits: readonly number[], temperature: number, threshold: number) {
  const max = logits.reduce((a, b) => Math.max(a, b))
  const weights = logits.map((logit) => Math.exp((logit - max) / temperature))
  const isKept = logits.map((logit) => logit >= max + Math.log(threshold))
  const sum = (isHead: boolean) =>
    weights.reduce((total, weight, index) => total + (isKept[index] === isHead ? weight : 0), 0)
  return { weights, isKept, head: sum(true), tail: sum(false) }
}

/** Half of the summed differences between the probabilities of drawing and the softmax. */
function change(logits: readonly number[], temperature: number): number {
  const { weights, isKept, head, tail } = split(logits, temperature, headThreshold(logits.length, temperature))
  expect(tail).toBeLessThanOrEqual(MAX_TAIL)
  const tailShare = askProbability(head) * tailProbability(head, tail)
  const ofTail = tail === 0 ? 0 : tailShare / tail
  const drawn = weights.map((weight, index) => weight * (isKept[index] ? (1 - tailShare) / head : ofTail))
  return weights.reduce((sum, weight, index) => sum + Math.abs(drawn[index]! - weight / (head + tail)), 0) / 2
}

describe.each(Object.entries(SHAPES))('a cut of logits: %s', (_, create) => {
  it.each(TEMPERATURES)('leaves every probability as it is, at temperature %d', (temperature) => {
    for (const size of SIZES) expect(change(create(size), temperature)).toBeLessThan(1e-9)
  })

  it.each(TEMPERATURES)('that nothing makes up for changes less than 1e-4, at temperature %d', (temperature) => {
    for (const size of SIZES) {
      const { head, tail } = split(create(size), temperature, negligibleThreshold(size, temperature))
      expect(tail / (head + tail)).toBeLessThan(1e-4)
    }
  })
})

describe('the rest behind a list', () => {
  it.each(Object.entries(SHAPES))('never weighs more than its bound, at any temperature: %s', (_, create) => {
    for (const temperature of [0.05, ...TEMPERATURES, 10]) {
      const sorted = create(5_000).toSorted((a, b) => b - a)
      const weigh = (heat: number) => sorted.map((logit) => Math.exp((logit - sorted[0]!) / heat))
      const sum = (weights: readonly number[]) => weights.slice(64).reduce((total, weight) => total + weight, 0)
      const rest = { count: sorted.length - 64, weight: sum(weigh(1)), heaviest: weigh(1)[63]! }
      expect(heatedWeight(rest, temperature) * (1 + 1e-12)).toBeGreaterThanOrEqual(sum(weigh(temperature)))
    }
  })

  it.each(Object.entries(SHAPES))('weighs no more than 32-bit floats can have lost: %s', (_, create) => {
    const logits = create(20_000)
    const highest = logits.reduce((a, b) => Math.max(a, b))
    const weights = logits.map((logit) => Math.fround(Math.exp(logit - highest)))
    const rounded = weights.reduce((sum, weight) => Math.fround(sum + weight), 0)
    const exact = weights.reduce((sum, weight) => sum + weight, 0)
    expect(withoutRounding(rounded, logits.length)).toBeGreaterThanOrEqual(exact)
  })
})

describe('drawWeighted', () => {
  it('never draws what weighs nothing', () => {
    const drawn = Array.from({ length: 100 }, (_, step) => drawWeighted([0, 1, 0, 3, 0], step / 100))
    expect(drawn.filter((index) => index === 1)).toHaveLength(25)
    expect(drawn.filter((index) => index === 3)).toHaveLength(75)
    expect(drawWeighted([0, 2, 0], 1)).toBe(1)
    expect(drawWeighted([0, 0], 0.5)).toBeUndefined()
    expect(drawWeighted([Number.NaN], 0.5)).toBeUndefined()
  })
})

describe('keep', () => {
  it('takes the share of top_p from those that top_k keeps, and then asks how likely they are', () => {
    const sorted = [4, 3, 2, 1].map((weight) => ({ logit: Math.log(weight) }))
    expect(keepLikeliest(sorted, { topK: 2 })).toHaveLength(2)
    expect(keepLikeliest(sorted, { topK: 2, topP: 0.5 })).toHaveLength(1)
    expect(keepLikeliest(sorted, { topK: 3, minP: 0.6 })).toHaveLength(2)
    expect(keepLikeliest(sorted, { topK: 9, topP: 0.6 })).toHaveLength(2)
    expect(keepLikeliest(sorted, { topP: 0 })).toHaveLength(1)
    expect(keepLikeliest(sorted, { minP: 0.1 })).toEqual(sorted)
    expect(keepLikeliest([], { minP: 0.1 })).toEqual([])
  })
})

describe('seeded random numbers', () => {
  it('are evenly spread, and the same for the same seed', () => {
    const [one, same, other] = [seededRandom(7), seededRandom(7), seededRandom(8)]
    const buckets = Array.from({ length: 16 }, () => 0)
    for (let count = 0; count < 16_000; count++) {
      const number = one()
      expect(same()).toBe(number)
      buckets[Math.floor(number * 16)]!++
    }
    expect(other()).not.toBe(seededRandom(7)())
    for (const count of buckets) expect(Math.abs(count - 1_000)).toBeLessThan(150)
  })
})
