import { describe, expect, it } from 'vitest'
import { KeyHabits } from './key-habits.ts'

function habitsOf(answers: Record<string, number>, times = 200): KeyHabits {
  const habits = new KeyHabits()
  for (let count = 0; count < times; count++)
    for (const [key, tokens] of Object.entries(answers)) habits.add(key, tokens)
  return habits
}

describe('the habits of a key', () => {
  it('say how long its answers usually are', () => {
    const habits = habitsOf({ classifier: 4, writer: 900 })
    expect(habits.usualTokens('classifier')).toBeLessThan(7)
    expect(habits.usualTokens('writer')).toBeGreaterThan(750)
  })

  it('are those of all keys until it has had answers of its own', () => {
    const habits = habitsOf({ writer: 900 })
    expect(habits.usualTokens('new')).toBeCloseTo(901, 0)
    habits.add('new', 4)
    expect(habits.usualTokens('new')).toBeGreaterThan(200)
  })

  it('are kept for a bounded number of keys', () => {
    const habits = habitsOf({ writer: 900 })
    for (let count = 0; count < 999; count++) habits.add(`key-${count}`, 1)
    expect(habits.usualTokens('writer')).toBeGreaterThan(habits.usualTokens('new'))
    habits.add('one more', 1)
    expect(habits.usualTokens('writer')).toBe(habits.usualTokens('new'))
  })
})
