import { describe, expect, it } from 'vitest'
import { LineFit } from './line-fit.ts'

function fitted(...points: [number, number][]): LineFit {
  const fit = new LineFit(0.1)
  for (const [x, y] of points) fit.add(x, y)
  return fit
}

describe('the line through measured times', () => {
  it('tells a fixed part from one that grows', () => {
    const points = Array.from({ length: 40 }, (_, index): [number, number] => [
      (index % 8) * 1_000,
      100 + (index % 8) * 50,
    ])
    expect(fitted(...points).at(10_000)).toBeCloseTo(600, -1)
    expect(fitted(...points).at(0)).toBeCloseTo(100, -1)
  })

  it('believes one point far off only a little, and several in a row soon', () => {
    const usual = Array.from({ length: 20 }, (): [number, number] => [1_000, 100])
    expect(fitted(...usual, [1_000, 10_000]).at(1_000)).toBeLessThan(110)
    const slow = Array.from({ length: 20 }, (): [number, number] => [1_000, 1_000])
    expect(fitted(...usual, ...slow).at(1_000)).toBeGreaterThan(700)
  })

  it('takes a time to grow a little until it has seen that it does not', () => {
    const flat = fitted([1_000, 90])
    expect(flat.at(5_000)).toBeCloseTo(90 + (4_000 * 90) / 1_256)
    for (let count = 0; count < 40; count++) flat.add(1_000 + 4_000 * (count % 2), 90)
    expect(flat.at(5_000)).toBeLessThan(95)
  })
})
