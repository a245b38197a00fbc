import { describe, expect, it } from 'vitest'
import { EarlierReplies } from './earlier-replies.ts'

const reply = (first: number, count = 20): number[] => Array.from({ length: count }, (_, index) => first + index)
const [one, other] = [{ name: 'one' }, { name: 'other' }]

describe('earlier replies', () => {
  it('are those of the same scope, with the last tokens of their prompts', () => {
    const replies = new EarlierReplies()
    replies.add(one, [1, 2, 3, 4, 5, ...reply(100)], 5)
    replies.add(one, [6, 7, ...reply(200)], 2)
    expect(replies.of(one)).toEqual([3, 4, 5, ...reply(100), 6, 7, ...reply(200)])
    expect(replies.of(other)).toEqual([])
    expect(replies.of(undefined)).toEqual([])
  })

  it('don’t grow without end: the latest tokens of the latest scopes are kept', () => {
    const replies = new EarlierReplies()
    for (let round = 0; round < 10; round++) replies.add(one, reply(round * 1_000, 1_000), 0)
    expect(replies.of(one).length).toBe(4_096)
    expect(replies.of(one).at(-1)).toBe(9_999)
    for (let scope = 0; scope < 64; scope++) replies.add({ name: `scope ${scope}` }, reply(0), 0)
    expect(replies.of(one)).toEqual([])
    expect(replies.of({ name: 'scope 0' })).toEqual(reply(0))
  })

  it('leave out what was hardly begun, and replies of nobody', () => {
    const replies = new EarlierReplies()
    replies.add(one, reply(0, 10), 3)
    replies.add(undefined, reply(0), 0)
    expect(replies.of(one)).toEqual([])
  })
})
