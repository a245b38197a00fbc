import { expect, it } from 'vitest'
import { ThrottledUpdates } from './throttled-updates.ts'

/** A page that a text of so many characters arrives at, one per millisecond. What an update takes depends on what has arrived. */
async function stream(
  characters: number,
  costOf: (arrived: number) => number,
): Promise<{ updates: number; busyMs: number; shown: number }> {
  let now = 0
  let arrived = 0
  const seen = { updates: 0, busyMs: 0, shown: 0 }
  const pass = async (ms: number) => {
    now += ms
    if (arrived === characters) return
    arrived = Math.min(Math.floor(now), characters)
    updates.schedule()
  }
  const updates = new ThrottledUpdates(
    () => {
      seen.updates += 1
      seen.shown = arrived
      seen.busyMs += costOf(arrived)
      now += costOf(arrived)
    },
    { now: () => now, nextFrame: async () => pass(16), pause: pass },
  )
  updates.schedule()
  while (seen.shown < characters) await new Promise(setImmediate)
  return seen
}

it('updates with every frame while that costs little', async () => {
  expect((await stream(1_600, () => 1)).updates).toBeGreaterThan(75)
})

it('leaves the page most of its time, however much an update costs', async () => {
  const { busyMs, shown } = await stream(20_000, (arrived) => arrived / 20)
  expect(shown).toBe(20_000)
  expect(busyMs).toBeLessThan(20_000 / 3)
})

it('never updates after it was stopped', async () => {
  let count = 0
  const frame = Promise.withResolvers<void>()
  const updates = new ThrottledUpdates(() => (count += 1), {
    now: () => 0,
    nextFrame: async () => frame.promise,
    pause: async () => {},
  })
  updates.schedule()
  updates.stop()
  frame.resolve()
  await new Promise(setImmediate)
  expect(count).toBe(0)
})
