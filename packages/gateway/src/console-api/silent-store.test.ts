import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openConsoleWorld } from '../testing/console-world.ts'
import { startPostgres } from '../testing/start-postgres.ts'

const DEADLINE_MS = 150_000

it('[A2b] [O1b] rejects keys and sessions, and reports why, once the database has been gone for a while', async () => {
  const postgres = await startPostgres()
  const world = await openConsoleWorld(await postgres.createDatabase())
  const olga = await world.setUp('olga@acme.test', 'Acme')
  const path = `/organizations/${olga.organization}/keys`
  const { secret } = (await olga.post<{ secret: string }>(path, { name: 'k' })).body
  const headers = { authorization: `Bearer ${secret}` }
  const useKey = () => fetch(`${world.base}/openai/v1/models`, { headers })
  expect([(await useKey()).status, (await olga.get(path)).status]).toEqual([200, 200])
  await postgres.stop()
  const deadline = performance.now() + DEADLINE_MS
  let statuses: number[] = []
  while (!statuses.every((status) => status === 503) || statuses.length === 0) {
    expect(performance.now()).toBeLessThan(deadline)
    await sleep(100)
    statuses = [(await useKey()).status, (await olga.get(path)).status, (await olga.post(path, { name: 'k' })).status]
    // Sessions need the database on every request; keys work until the access book is out of date.
    expect(statuses.slice(1)).not.toContain(200)
  }
  const ready = await fetch(`${world.base}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([503, { reasons: [expect.stringContaining('store')] }])
  await world.close().catch(() => undefined)
})
