import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { gather } from './gather.ts'

describe('gathered things', () => {
  it('are taken once each, in order, later', async () => {
    const taken: string[] = []
    const add = gather<string>(
      (takeAll) => setImmediate(takeAll),
      (job) => taken.push(job),
    )
    add('a')
    add('b')
    expect(taken).toEqual([])
    await nextTurn()
    expect(taken).toEqual(['a', 'b'])
    add('c')
    await nextTurn()
    expect(taken).toEqual(['a', 'b', 'c'])
  })
})
