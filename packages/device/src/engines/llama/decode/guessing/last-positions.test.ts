import { expect, it } from 'vitest'
import { LastPositions } from './last-positions.ts'

const KEY = [1, 2, 3]
const row = (value: number) => [...KEY, value, 7, 8, 9]

it('tells places that vary from those that stay the same', () => {
  const tokens = [...row(100), ...row(101), ...row(102), 1, 2]
  const followed = new LastPositions(KEY.length).followed(tokens, 3, [102, 7, 8, 9, 1, 2])
  expect(followed).toEqual(['varied', 'once', 'once', 'once', 'same', 'same'])
})

it('trusts a place again that stopped varying', () => {
  const tokens = [...row(100), ...row(101), ...row(101), ...row(101), 1, 2]
  expect(new LastPositions(KEY.length).followed(tokens, 3, [101])).toEqual(['same'])
})

it('remembers all tokens of a long text', () => {
  const positions = new LastPositions(KEY.length)
  const tokens = Array.from({ length: 3_000 }, (_, index) => index)
  for (let end = 10; end <= tokens.length; end += 500) positions.followed(tokens.slice(0, end), 5, [])
  expect(positions.followed([...tokens, 40, 41], 42, [43])).toEqual(['once'])
})

it('looks at as many tokens in a row as it is told to', () => {
  const tokens = [5, 1, 9, 6, 1, 9, 7, 2, 9, 8]
  expect(new LastPositions(1).followed(tokens, 1, [9, 0])).toEqual(['same', 'varied'])
  expect(new LastPositions(3).followed(tokens, 1, [9, 0])).toEqual(['once', 'once'])
})
