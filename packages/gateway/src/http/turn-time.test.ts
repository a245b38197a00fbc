import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { TurnTime } from './turn-time.ts'

/** Requests that each take this long to begin, all of one turn. */
function crowd(count: number, tookMs: number) {
  let now = 0
  const turns = new TurnTime(() => now)
  const begun: number[] = []
  const begin = (request: number) => {
    now += tookMs
    begun.push(request)
  }
  const arrive = (request: number) => (turns.isOver ? turns.later(() => begin(request)) : begin(request))
  for (let request = 0; request < count; request++) arrive(request)
  return { begun, arrive }
}

describe('the time of a turn', () => {
  it('begins some of the requests that arrive at once, and the others in the next turns', async () => {
    const { begun } = crowd(12, 1.25)
    expect(begun).toHaveLength(5)
    await setImmediate()
    expect(begun).toHaveLength(10)
    await setImmediate()
    expect(begun).toStrictEqual(Array.from({ length: 12 }, (_, request) => request))
  })

  it('is for newcomers first: they do not wait behind a crowd', async () => {
    const { begun, arrive } = crowd(100, 1.25)
    await setImmediate()
    arrive(1_000)
    expect(begun.at(-1)).toBe(1_000)
  })

  it('is enough for requests that take little', () => {
    expect(crowd(200, 0.025).begun).toHaveLength(200)
  })
})
