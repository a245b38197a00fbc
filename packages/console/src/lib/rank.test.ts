import { describe, expect, it } from 'vitest'
import { rank } from './rank.ts'

const ROWS = ['Create a key', 'Keys', 'Playground', 'qwen3:8b', 'llama-3.3-70b-instruct', 'Rename the monkey']

function found(typed: string): string[] {
  return rank(ROWS, typed, (row) => row)
}

describe('rank', () => {
  it('finds words by their first letters, in any order', () => {
    expect(found('k cr')).toStrictEqual(['Create a key'])
    expect(found('70b llama')).toStrictEqual(['llama-3.3-70b-instruct'])
  })

  it('finds letters that are not next to each other', () => {
    expect(found('qw8')).toStrictEqual(['qwen3:8b'])
    expect(found('plgr')).toStrictEqual(['Playground'])
  })

  it('puts the best match first: the start of the text, then of a word, then anything inside', () => {
    expect(found('key')).toStrictEqual(['Keys', 'Create a key', 'Rename the monkey'])
  })

  it('keeps everything in order if nothing is typed, and nothing if nothing matches', () => {
    expect(found('  ')).toStrictEqual(ROWS)
    expect(found('zebra')).toStrictEqual([])
  })
})
