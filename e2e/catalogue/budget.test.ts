// A month's budget and many requests at once. With several gateways, each request may come in at another one.

import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { LONELY, startSystem } from '../harness/start-system.ts'

const BUDGET = 500
const EACH = 120
const AT_ONCE = 200
const USED_UP = { status: 429, code: 'insufficient_quota', type: 'insufficient_quota' }

const system = await startSystem({
  devices: 'none',
  settings: { QUEUE_PER_KEY: String(AT_ONCE), QUEUE_PER_ORGANIZATION: String(AT_ONCE) },
})
afterAll(async () => system[Symbol.asyncDispose]())

/** Sends all while the first waits for its device, and returns the answers. */
async function attack(slots: number) {
  const goOn = Promise.withResolvers<void>()
  await using device = await system.connectDevice({
    models: [{ name: LONELY, slots }],
    plan: { usage: { promptTokens: 1, completionTokens: EACH - 1 }, stall: { at: 0, until: goOn.promise } },
  })
  const asked = Array.from({ length: AT_ONCE }, (_, index) => system.chat({ model: LONELY, stream: index % 2 === 1 }))
  const known = async () => (await system.metric('hearth_queued_jobs')) + device.jobs.length
  await expect.poll(known).toBe(AT_ONCE)
  goOn.resolve()
  const answers = await Promise.all(asked)
  return {
    answered: answers.filter(({ status }) => status === 200),
    rest: answers.filter(({ status }) => status !== 200),
  }
}

async function setBudget(tokensPerMonth: number): Promise<void> {
  await system.change((store, { home }) => store.changeSettings({ organization: home, tokensPerMonth }))
  // An enrolment makes the gateway read what changed.
  await system.enrol('home')
}

describe('a budget for a few replies, and two hundred requests at once', () => {
  it('[M30a] is exceeded by one reply at most if there is one slot, and all others get the 429', async () => {
    await setBudget(BUDGET)
    const { answered, rest } = await attack(1)
    expect(answered.length * EACH).toBeGreaterThanOrEqual(BUDGET)
    expect(answered.length * EACH).toBeLessThan(BUDGET + EACH)
    for (const answer of rest) {
      const { message } = expectError(answer, USED_UP)
      expect(message).toMatch(/^The monthly budget of this organization is used up: 500 tokens. It starts again on \d/)
      expect(answer.headers.get('x-should-retry')).toBe('false')
      expect(answer.headers.has('retry-after')).toBe(false)
    }
    expectError(await system.chat({ model: LONELY }), USED_UP)
  })

  it('[M30a] is exceeded by one reply for each slot at most', async () => {
    const used = 5 * EACH
    await setBudget(used + BUDGET)
    const { answered, rest } = await attack(8)
    expect(answered.length * EACH).toBeGreaterThanOrEqual(BUDGET)
    expect(answered.length * EACH).toBeLessThan(BUDGET + 8 * EACH)
    for (const answer of rest) expectError(answer, USED_UP)
    await setBudget(100_000)
    await using _device = await system.connectDevice({ models: [LONELY] })
    expectCompletion(await system.chat({ model: LONELY }))
  })
})
