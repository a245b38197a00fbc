import { describe, expect, it } from 'vitest'
import { StrictTurns } from './strict-turns.ts'

const part = (name: string, count: number, { length = 10, isRepeatable = true } = {}) => ({
  name,
  count,
  slot: { tokens: { length } },
  running: { generation: { isRepeatable } },
})
const namesOf = (parts: readonly { name: string }[]) => parts.map(({ name }) => name).join(' ')
const turnsOf = (sizes: [short: number, long: number]) => new StrictTurns({ short: sizes[0], long: sizes[1] })

describe('on a device that is strict, streams at temperature 0', () => {
  it('share a decode within the size that leaves their numbers alone, and take turns beyond it', () => {
    const turns = turnsOf([2, 2])
    const parts = ['a', 'b', 'c'].map((name) => part(name, 1))
    expect([1, 2, 3, 4].map(() => namesOf(turns.next(parts)))).toEqual(['a b', 'a c', 'a b', 'a c'])
  })

  it('are alone where every other token would change their numbers', () => {
    const turns = turnsOf([63, 1])
    const parts = [part('a', 1, { length: 300 }), part('b', 1), part('c', 1)]
    expect([1, 2, 3].map(() => namesOf(turns.next(parts)))).toEqual(['a', 'b c', 'a'])
  })

  it('are alone while they read more of their prompt', () => {
    const turns = turnsOf([8, 8])
    const parts = [part('prompt', 40), part('stream', 1)]
    expect([1, 2, 3].map(() => namesOf(turns.next(parts)))).toEqual(['prompt', 'stream', 'prompt'])
  })

  it('leave all others together', () => {
    const turns = turnsOf([1, 1])
    const parts = [part('x', 1, { isRepeatable: false }), part('y', 99, { isRepeatable: false }), part('a', 1)]
    expect([1, 2, 3].map(() => namesOf(turns.next(parts)))).toEqual(['x y', 'a', 'x y'])
  })
})
