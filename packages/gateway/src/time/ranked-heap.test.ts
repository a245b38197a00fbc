import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RankedHeap, type Ranked } from './ranked-heap.ts'

function item(): Ranked {
  return { rank: 0, position: -1 }
}

function drain(heap: RankedHeap<Ranked>): number[] {
  const ranks: number[] = []
  for (let first = heap.first(); first !== undefined; first = heap.first()) {
    ranks.push(first.rank)
    heap.remove(first)
  }
  return ranks
}

const CHANGE = fc.record({ index: fc.nat(31), rank: fc.option(fc.nat(1_000), { nil: undefined }) })

it('a RankedHeap gives the smallest rank first, however items were added, moved and removed', () => {
  const property = fc.property(fc.array(CHANGE, { minLength: 50, maxLength: 200 }), (changes) => {
    const heap = new RankedHeap<Ranked>()
    const items = Array.from({ length: 32 }, item)
    const ranks = new Map<number, number>()
    for (const { index, rank } of changes) {
      if (rank === undefined) heap.remove(items[index]!)
      else heap.put(items[index]!, rank)
      if (rank === undefined) ranks.delete(index)
      else ranks.set(index, rank)
    }
    expect(heap.size).toBe(ranks.size)
    expect(drain(heap)).toEqual([...ranks.values()].toSorted((one, other) => one - other))
  })
  fc.assert(property, { seed: 1, numRuns: 300 })
})
