import { createKey, openStore } from '@hearth/gateway/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { FULL, HI, startSystem } from '../harness/start-system.ts'

const HOUR_MS = 3_600_000
/** The limit refills one token every 60 ms, so however busy the machine is, the used tokens are still missing when a test looks. */
const LIMITS = { tokensPerMinute: 1_000 }

const system = await startSystem({ settings: { USAGE_FLUSH_MS: String(HOUR_MS) } })
afterAll(async () => {
  await system[Symbol.asyncDispose]()
})

interface LimitedKey {
  id: string
  secret: string
}

async function addKey(): Promise<LimitedKey> {
  const { key: secret, digest, hint } = createKey()
  let id = ''
  await system.change(async (store, { home: organization }) => {
    const member = { organization, email: `${digest}@example.test`, name: 'Counted', role: 'member' } as const
    const { person } = await store.addMember(member)
    const key = { organization, createdBy: person, name: 'counted', digest, hint, limits: LIMITS }
    id = (await store.createKey(key)).id
  })
  // An enrolment makes the gateway refresh its access book immediately.
  await system.enrol('home')
  return { id, secret }
}

/** How many tokens the key has used beyond its limit. */
async function overdrawn({ secret }: LimitedKey): Promise<number> {
  const refused = await system.chat({ max_tokens: 1 }, { key: secret })
  expect(refused.status).toBe(429)
  const tokensPerSecond = LIMITS.tokensPerMinute / 60
  return Number(refused.headers.get('retry-after')) * tokensPerSecond
}

async function answerEightTimes(key: LimitedKey): Promise<void> {
  system.full.plan = { usage: { promptTokens: 100, completionTokens: 10_000 } }
  const { json } = await system.chat({ n: 8, max_tokens: 16 }, { key: key.secret })
  expect(json).toMatchObject({ usage: { prompt_tokens: 100, completion_tokens: 10_000, total_tokens: 10_100 } })
}

async function leaveStream(key: LimitedKey): Promise<void> {
  system.full.plan = { text: ['x'.repeat(40_000), 'y'], stall: { at: 1, until: new Promise(() => {}) } }
  const client = new AbortController()
  const { events } = await system.client.openStream(
    { model: FULL, messages: HI, max_tokens: 16 },
    { key: key.secret, signal: client.signal },
  )
  const index = system.full.jobs.length - 1
  await events.next()
  await events.next()
  client.abort()
  const job = await system.full.job(index)
  await system.full.until('the job is cancelled', () => job.state === 'cancelled')
}

async function failLate(key: LimitedKey): Promise<void> {
  system.full.plan = { text: ['x'.repeat(40_000), 'y'], countsTokens: true, failure: { at: 1 } }
  const { error } = await system.client.stream({ model: FULL, messages: HI, max_tokens: 16 }, { key: key.secret })
  expect(error).toMatchObject({ type: 'server_error' })
}

describe('tokens', () => {
  it('[S43] count for limits, metrics and usage: of all choices, of an abandoned stream and of a failed one', async () => {
    const many = await addKey()
    await answerEightTimes(many)
    expect(await overdrawn(many)).toBeGreaterThan(70_000)
    expect(await system.metric('hearth_tokens_total')).toBe(80_100)

    const left = await addKey()
    await leaveStream(left)
    expect(await overdrawn(left)).toBeGreaterThan(8_000)
    await system.metricReaches('hearth_tokens_total', 80_100 + 10_001)

    const failed = await addKey()
    await failLate(failed)
    await system.metricReaches('hearth_tokens_total', 80_100 + 10_001 + 2)

    system.gateway.signal('SIGTERM')
    expect(await system.gateway.exited).toBe(0)
    expect(await readUsage()).toMatchObject({
      [many.id]: { requests: 1, errors: 0, promptTokens: 100, completionTokens: 80_000 },
      [left.id]: { requests: 1, errors: 0, promptTokens: 1, completionTokens: 10_000 },
      [failed.id]: { requests: 1, errors: 1, promptTokens: 1, completionTokens: 1 },
    })
  })
})

async function readUsage(): Promise<Record<string, object>> {
  const store = await openStore(`embedded:${system.folder}`)
  const range = { from: new Date(Date.now() - 2 * HOUR_MS), to: new Date(Date.now() + HOUR_MS) }
  const rows = await store.listUsage({ organization: system.organizations.home, ...range })
  await store.close()
  return Object.fromEntries(rows.map((row) => [row.key, row]))
}
