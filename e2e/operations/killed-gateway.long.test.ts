// Kills real gateways and expects the usage of every answered request to be there afterwards, once.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openStore } from '@hearth/gateway/testing'
import { Client } from '../harness/client/client.ts'
import { expectError } from '../harness/client/expect-reply.ts'
import { countRequests } from '../harness/count-requests.ts'
import { startGateway, type GatewayProcess } from '../harness/processes/gateway-process.ts'
import { FULL, startSystem, type System } from '../harness/start-system.ts'

const HOUR_MS = 3_600_000
const ANSWERED = 20
const SECRET = 'a secret that only the prompt holds'
const MESSAGES = [{ role: 'user', content: SECRET }]

async function kill({ pid, exited }: GatewayProcess): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await exited
}

async function stream(system: System): Promise<void> {
  const { done } = await system.client.stream({ model: FULL, messages: MESSAGES })
  expect(done).toBe(true)
}

async function restart(system: System, settings: Record<string, string> = {}): Promise<GatewayProcess> {
  return startGateway({ DATABASE_URL: `embedded:${system.folder}`, DRAIN_MS: '1000', ...settings })
}

/** Gives the organization the budget that its usage has reached. */
async function useUp({ folder, organizations: { home: organization } }: System): Promise<void> {
  const store = await openStore(`embedded:${folder}`)
  const range = { from: new Date(Date.now() - HOUR_MS), to: new Date(Date.now() + HOUR_MS) }
  const rows = await store.listUsage({ organization, ...range })
  const tokensPerMonth = rows.reduce((sum, row) => sum + row.promptTokens + row.completionTokens, 0)
  await store.changeSettings({ organization, tokensPerMonth })
  await store.changesAreKnown()
  await store.close()
}

describe('a gateway that is killed', () => {
  it('has counted every answered request, once, without its content', async () => {
    await using system = await startSystem({ settings: { USAGE_FLUSH_MS: String(HOUR_MS) } })
    for (let count = 0; count < ANSWERED / 2; count++) await stream(system)
    await Promise.all(Array.from({ length: ANSWERED / 2 }, () => stream(system)))
    await kill(system.gateway)
    const folder = join(system.folder, 'usage-journal')
    const written = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(written.join('')).not.toContain(SECRET)
    await using second = await restart(system)
    expect(await countRequests(system)).toBe(ANSWERED)
    await useUp(system)
    const again = new Client(`${second.origin}/openai/v1`, system.keys.home)
    expectError(await again.post({ model: FULL, messages: MESSAGES }), { status: 429, code: 'insufficient_quota' })
    await kill(second)
    await using third = await restart(system)
    expect(await countRequests(system)).toBe(ANSWERED)
    expect(await third.stop()).toBe(0)
    expect(readdirSync(folder)).toStrictEqual([])
  })
})
