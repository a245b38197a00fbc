import { describe, expect, it } from 'vitest'
import { createPace } from './relay-pace.ts'

const never = new AbortController().signal

function open(bytesPerSecond: number) {
  const waits: number[] = []
  let now = 0
  const wait = async (ms: number): Promise<void> => {
    waits.push(ms)
    now += ms
  }
  return { pace: createPace(bytesPerSecond, () => now, wait), waits }
}

describe('the pace of copies', () => {
  it('never exceeds its rate over time', async () => {
    const { pace, waits } = open(1_000)
    for (let piece = 0; piece < 5; piece += 1) await pace('a', 500, never)
    expect(waits).toEqual([500, 500, 500, 500])
  })

  it('lets organizations take turns, however many pieces one of them wants', async () => {
    const { pace } = open(1_000)
    const order: string[] = []
    const take = async (organization: string) => {
      await pace(organization, 500, never)
      order.push(organization)
    }
    await Promise.all([take('a'), take('a'), take('a'), take('a'), take('b'), take('b')])
    expect(order).toEqual(['a', 'a', 'b', 'a', 'b', 'a'])
  })

  it('gives no time to those that have left', async () => {
    const { pace, waits } = open(1_000)
    const left = new AbortController()
    const taken = [pace('a', 500, never), pace('a', 500, left.signal), pace('a', 500, never)]
    left.abort()
    await Promise.all(taken)
    expect(waits).toEqual([500])
  })
})
