import { afterEach, describe, expect, it, vi } from 'vitest'
import { Wakefulness } from './wakefulness.ts'

afterEach(() => vi.restoreAllMocks())

/** Takes steps of these durations, and counts the turns of the event loop that each of them asks for. */
async function turnsOf(durations: readonly number[]): Promise<number[]> {
  let now = 0
  const wakefulness = new Wakefulness(() => now)
  const asked = vi.spyOn(globalThis, 'setImmediate')
  const turns: number[] = []
  for (const duration of durations) {
    asked.mockClear()
    const step = Promise.withResolvers<void>()
    const waiting = wakefulness.during(step.promise)
    now += duration
    step.resolve()
    await waiting
    turns.push(asked.mock.calls.length)
  }
  return turns
}

describe('Wakefulness', () => {
  it('stays awake during a step if the one before was short', async () => {
    expect(await turnsOf([1, 1, 20, 1, 1])).toEqual([0, 1, 1, 0, 1])
  })

  it('goes to sleep when the step has ended, also if it failed', async () => {
    const wakefulness = new Wakefulness(() => 0)
    await wakefulness.during(Promise.resolve())
    await expect(wakefulness.during(Promise.reject(new Error('no room')))).rejects.toThrow('no room')
    const asked = vi.spyOn(globalThis, 'setImmediate')
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(asked).not.toHaveBeenCalled()
  })
})
