import { describe, expect, it } from 'vitest'
import { AnswerLengths } from './answer-lengths.ts'

const USUAL = 50

function seen(...lengths: number[]): AnswerLengths {
  const answers = new AnswerLengths()
  for (const tokens of lengths) answers.add(tokens, USUAL)
  return answers
}

describe('the lengths of answers', () => {
  it('are drawn from those that were seen, and only from those that are still possible', () => {
    const answers = seen(10, 10, 10, 1_000)
    expect(answers.draw(0, USUAL, 0, Infinity)).toBeCloseTo(10)
    expect(answers.draw(0.99, USUAL, 0, Infinity)).toBeCloseTo(1_000)
    expect(answers.draw(0, USUAL, 11, Infinity)).toBeCloseTo(1_000)
    expect(answers.draw(0.99, USUAL, 0, 300)).toBe(300)
    expect(answers.draw(0.5, USUAL, 2_000, Infinity)).toBe(2_500)
  })

  it('forget what answers were like long ago', () => {
    const answers = seen(...Array.from({ length: 300 }, () => 5), ...Array.from({ length: 300 }, () => 400))
    expect(answers.draw(0.1, USUAL, 0, Infinity)).toBeCloseTo(400)
  })

  it('stay right after very many', () => {
    const answers = seen(...Array.from({ length: 5_000 }, (_, index) => (index % 2 === 0 ? 20 : 200)))
    expect(answers.draw(0.25, USUAL, 0, Infinity)).toBeCloseTo(20)
    expect(answers.draw(0.75, USUAL, 0, Infinity)).toBeCloseTo(200)
  })

  it('grow with what is usual for the key', () => {
    const answers = seen(50, 50, 50, 100)
    expect(answers.draw(0, 500, 0, Infinity)).toBeCloseTo(500)
    expect(answers.draw(0.99, 500, 0, Infinity)).toBeCloseTo(1_000)
    expect(answers.draw(0, 500, 600, Infinity)).toBeCloseTo(1_000)
  })
})
