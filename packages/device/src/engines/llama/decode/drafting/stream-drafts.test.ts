import { describe, expect, it } from 'vitest'
import { Acceptance } from './acceptance.ts'
import { StreamDrafts } from './stream-drafts.ts'

function open(tokens: readonly number[]): { drafts: StreamDrafts; average: () => number } {
  const all = new Acceptance()
  const drafts = new StreamDrafts()
  drafts.average(all)
  for (const token of tokens) drafts.add({ token, confidence: 0.8 })
  return { drafts, average: () => drafts.average(all) }
}

describe('the drafts of a stream', () => {
  it('are compared up to the first that is wrong', () => {
    const { drafts, average } = open([1, 2, 3])
    drafts.onDrawn(0, 1)
    drafts.onDrawn(1, 9)
    const before = average()
    drafts.onDrawn(2, 3)
    expect(average()).toBe(before)
  })

  it('teach the odds even if they were not evaluated', () => {
    const { drafts, average } = open([1])
    expect(drafts.take(0)).toEqual([])
    const before = [...drafts.odds, average()]
    drafts.onDrawn(0, 1)
    expect(drafts.odds[0]).toBeGreaterThan(before[0]!)
    expect(average()).toBeGreaterThan(before[1]!)
  })
})
