import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openConsoleWorld } from '../testing/console-world.ts'
import { startPostgres, type TestPostgres } from '../testing/start-postgres.ts'
import { Visitor } from '../testing/visitor.ts'

const DEADLINE_MS = 150_000

async function open(postgres: TestPostgres, settings: Record<string, string>) {
  const world = await openConsoleWorld(await postgres.createDatabase(), settings)
  const olga = await world.setUp('olga@acme.test', 'Acme')
  const path = `/organizations/${olga.organization}/keys`
  const { secret } = (await olga.post<{ secret: string }>(path, { name: 'k' })).body
  const headers = { authorization: `Bearer ${secret}` }
  return {
    olga,
    path,
    useKey: async () => (await fetch(`${world.base}/openai/v1/models`, { headers })).status,
    read: async (page: string) => (await fetch(`${world.base}${page}`)).text(),
    ready: async () => {
      const response = await fetch(`${world.base}/readyz`)
      return { status: response.status, body: (await response.json()) as { status: string; reasons?: string[] } }
    },
    close: () => world.close().catch(() => undefined),
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!(await isSo())) {
    expect(performance.now()).toBeLessThan(deadline)
    await sleep(100)
  }
}

it('[A2b] [M46] [O1a] [O1e] serves known keys without the database, and reports why it stops when it has to', async () => {
  const postgres = await startPostgres()
  const [patient, strict] = [
    await open(postgres, { STORE_GRACE_S: '3600' }),
    await open(postgres, { STORE_GRACE_S: '5' }),
  ]
  expect([await patient.useKey(), (await patient.olga.get(patient.path)).status]).toEqual([200, 200])
  const events = await patient.olga.fetch(`/api/v1/organizations/${patient.olga.organization}/events`)
  const ended = events.text()
  await postgres.stop()

  await until(async () => (await patient.ready()).body.status === 'degraded')
  const { status, body } = await patient.ready()
  expect([status, body.reasons]).toEqual([200, [expect.stringMatching(/^the database has not answered for \d+ s$/)]])
  expect(await patient.useKey()).toBe(200)
  expect(await ended).toContain('listening')
  expect(await patient.read('/metrics')).toMatch(/^hearth_store_silent_seconds ([5-9]|\d{2,})/m)
  const refused = [await patient.olga.get(patient.path), await patient.olga.post(patient.path, { name: 'k' })]
  expect(refused.map((answer) => [answer.status, Visitor.code(answer)])).toEqual([
    [503, 'database_unavailable'],
    [503, 'database_unavailable'],
  ])

  await until(async () => (await strict.useKey()) === 503)
  expect(await strict.ready()).toMatchObject({ status: 503, body: { reasons: [expect.stringContaining('store')] } })
  await Promise.all([patient.close(), strict.close()])
})
