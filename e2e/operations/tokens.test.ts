import { createKey, openStore } from '@hearth/gateway/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { startSystem } from '../harness/start-system.ts'

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

describe('tokens', () => {
  it('[S43] of all choices count for limits, metrics and usage', async () => {
    const key = await addKey()
    await answerEightTimes(key)
    expect(await overdrawn(key)).toBeGreaterThan(70_000)
    expect(await system.metric('hearth_tokens_total')).toBe(80_100)
    system.gateway.signal('SIGTERM')
    expect(await system.gateway.exited).toBe(0)
    expect(await readUsage()).toMatchObject({
      [key.id]: { requests: 1, errors: 0, promptTokens: 100, completionTokens: 80_000 },
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
