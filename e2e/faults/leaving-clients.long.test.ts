import { setTimeout } from 'node:timers/promises'
import { numberedText } from '@hearth/gateway/testing'
import { afterAll, expect, it } from 'vitest'
import { createRandom } from '../harness/create-random.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { HI, PAIR, startSystem } from '../harness/start-system.ts'

const ABORTS = 4_000
const AT_ONCE = 20
const SLOTS = 4
const LATEST_MS = 40
const system = await startSystem({ devices: 'none' })
afterAll(async () => system[Symbol.asyncDispose]())

type Fate = 'left' | 'answered'

async function askAndLeave(afterMs: number, stream: boolean): Promise<Fate> {
  const leaving = new AbortController()
  const asked = system.client.call('/chat/completions', {
    body: { model: PAIR, messages: HI, stream },
    signal: leaving.signal,
  })
  const answered = asked.then(
    (answer): Fate => {
      expect(answer.status).toBe(200)
      return 'answered'
    },
    (error: unknown): Fate => {
      if (!leaving.signal.aborted) throw error
      return 'left'
    },
  )
  await Promise.race([answered, setTimeout(afterMs)])
  leaving.abort()
  return answered
}

it(`[H83a] ${ABORTS} clients leave at random times and no slot is lost`, async () => {
  const plan = { tokens: 12, intervalMs: 1 }
  await using device = await system.connectDevice({ models: [{ name: PAIR, slots: SLOTS }], plan, forgetsJobs: true })
  const random = createRandom(7)
  const fates: Fate[] = []
  let left = ABORTS
  const visit = async (): Promise<void> => {
    while (left-- > 0) fates.push(await askAndLeave(random() * LATEST_MS, random() < 0.5))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, visit))
  expect(fates).toHaveLength(ABORTS)
  expect(fates.filter((fate) => fate === 'left').length).toBeGreaterThan(ABORTS / 10)
  await system.metricReaches('hearth_leases', 0)
  await system.queued(0)

  // All slots can be held at the same time again, and not one more.
  const goOn = Promise.withResolvers<void>()
  let held = 0
  device.plan = () => {
    held += 1
    return { stall: { at: 0, until: goOn.promise } }
  }
  const answers = Array.from({ length: SLOTS + 1 }, async () => system.chat({ model: PAIR }))
  await device.until('every slot is taken', () => held === SLOTS)
  await system.queued(1)
  expect(held).toBe(SLOTS)
  device.plan = {}
  goOn.resolve()
  for (const answer of await Promise.all(answers))
    expect(expectCompletion(answer).choices[0]!.message.content).toBe(numberedText(8))
})
