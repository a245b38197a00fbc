import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openConsoleWorld } from '../testing/console-world.ts'
import { startPostgres } from '../testing/start-postgres.ts'

const DEADLINE_MS = 30_000

it('[M14] lets nobody in, by key or by session, once the database has been gone for a while, and says so', async () => {
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
    // Never another person's answer, never a page of the framework, and keys only as long as the book may be trusted.
    expect(statuses.slice(1)).not.toContain(200)
  }
  await world.close().catch(() => undefined)
})
