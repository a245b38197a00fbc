import { describe, expect, it } from 'vitest'
import { chooseFitting, type Candidate, type DrawSettings } from './choose-fitting.ts'

const CANDIDATES: Candidate[] = [0.4, 0.3, 0.2, 0.1].map((share, token) => ({ token, logit: Math.log(share) }))
const isOdd = (token: number) => token % 2 === 1

/** Draws with evenly spread random numbers. */
function shares(settings: DrawSettings, fits: (token: number) => boolean): number[] {
  const counts = [0, 0, 0, 0]
  const draws = 1000
  for (let draw = 0; draw < draws; draw++) {
    let calls = 0
    const random = () => ((draw + 0.5) / draws + calls++ * 0.381_966) % 1
    counts[chooseFitting(CANDIDATES, settings, fits, random)!]!++
  }
  return counts.map((count) => count / draws)
}

describe('chooseFitting', () => {
  it('[W12] takes the likeliest that fits at temperature 0, and looks no further', () => {
    const asked: number[] = []
    const fits = (token: number) => asked.push(token) > 0 && isOdd(token)
    expect(chooseFitting(CANDIDATES, { temperature: 0 }, fits, () => 0.9)).toBe(1)
    expect(asked).toEqual([0, 1])
  })

  it('draws each that fits as often as its share among them says', () => {
    const [none, often, nothing, seldom] = shares({ temperature: 1 }, isOdd)
    expect([none, nothing]).toEqual([0, 0])
    expect(often).toBeCloseTo(0.75, 1)
    expect(seldom).toBeCloseTo(0.25, 1)
  })

  it('applies top_p to those that fit', () => {
    expect(shares({ temperature: 1, topP: 0.7 }, isOdd)).toEqual([0, 1, 0, 0])
    expect(shares({ temperature: 1, topP: 0 }, () => true)).toEqual([1, 0, 0, 0])
  })

  it('finds an unlikely one if no other fits, and nothing if none does', () => {
    const far = [...CANDIDATES, { token: 4, logit: -5000 }, { token: 5, logit: Number.NEGATIVE_INFINITY }]
    const only = (token: number) => (other: number) => other === token
    expect(chooseFitting(far, { temperature: 0.1 }, only(4), () => 0.5)).toBe(4)
    expect(chooseFitting(far, { temperature: 1 }, only(5), () => 0.5)).toBeUndefined()
    expect(
      chooseFitting(
        [],
        { temperature: 1 },
        () => true,
        () => 0.5,
      ),
    ).toBeUndefined()
  })
})
