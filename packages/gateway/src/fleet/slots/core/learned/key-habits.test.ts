import { describe, expect, it } from 'vitest'
import { KeyHabits } from './key-habits.ts'

function habitsOf(answers: Record<string, number>, times = 200): KeyHabits {
  const habits = new KeyHabits()
  for (let count = 0; count < times; count++)
    for (const [key, tokens] of Object.entries(answers)) habits.add({ key, cost: tokens + 10 }, tokens, count * 1_000)
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
    habits.add({ key: 'new', cost: 14 }, 4, 0)
    expect(habits.usualTokens('new')).toBeGreaterThan(200)
  })

  it('say how often it asks, and forget it', () => {
    const habits = habitsOf({ often: 10 })
    habits.add({ key: 'once', cost: 20 }, 10, 199_000)
    const [often, once] = habits.busiest(2, 199_000)
    expect(often!.key).toBe('often')
    expect(often!.cost).toBeCloseTo(20)
    expect(often!.everyMs).toBeGreaterThan(900)
    expect(often!.everyMs).toBeLessThan(1_100)
    expect(once).toMatchObject({ key: 'once', everyMs: 60_000 })
    expect(habits.busiest(1, 500_000)[0]!.everyMs).toBeGreaterThan(60_000)
  })

  it('are kept for a bounded number of keys', () => {
    const habits = new KeyHabits()
    for (let count = 0; count < 3_000; count++) habits.add({ key: `key-${count}`, cost: 1 }, 1, 0)
    expect(habits.busiest(5_000, 0)).toHaveLength(1_000)
  })
})
