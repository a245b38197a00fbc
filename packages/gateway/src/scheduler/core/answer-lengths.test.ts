import { describe, expect, it } from 'vitest'
import { AnswerLengths } from './answer-lengths.ts'

function seen(...lengths: number[]): AnswerLengths {
  const answers = new AnswerLengths()
  for (const tokens of lengths) answers.add(tokens)
  return answers
}

describe('the lengths of answers', () => {
  it('[S65] are drawn from those that were seen, and only from those that are still possible', () => {
    const answers = seen(10, 10, 10, 1_000)
    expect(answers.draw(0, 0, Infinity)).toBeCloseTo(10)
    expect(answers.draw(0.99, 0, Infinity)).toBeCloseTo(1_000)
    expect(answers.draw(0, 11, Infinity)).toBeCloseTo(1_000)
    expect(answers.draw(0.99, 0, 300)).toBe(300)
    expect(answers.draw(0.5, 2_000, Infinity)).toBe(2_500)
  })

  it('[S65] forget what answers were like long ago', () => {
    const answers = seen(...Array.from({ length: 300 }, () => 5), ...Array.from({ length: 300 }, () => 400))
    expect(answers.draw(0.1, 0, Infinity)).toBeCloseTo(400)
  })

  it('[S65] stay right after very many', () => {
    const answers = seen(...Array.from({ length: 5_000 }, (_, index) => (index % 2 === 0 ? 20 : 200)))
    expect(answers.draw(0.25, 0, Infinity)).toBeCloseTo(20)
    expect(answers.draw(0.75, 0, Infinity)).toBeCloseTo(200)
  })
})
