import { Client } from 'pg'
import { expect, it } from 'vitest'
import { openConsoleWorld } from '../testing/console-world.ts'
import { startPostgres } from '../testing/start-postgres.ts'

/** The tables that the gateway follows stay free, so it sees no silence: only these calls get stuck. */
const LOCK = 'begin; lock table session, verification, account, person, invitation in access exclusive mode'

interface Rejection {
  error: { message: string }
}

it('answers every console call within its time when a query gets stuck', async () => {
  const postgres = await startPostgres()
  const url = await postgres.createDatabase()
  const world = await openConsoleWorld(url)
  const owner = await world.setUp('olga@acme.test', 'Acme')
  const locker = new Client(url)
  await locker.connect()
  await locker.query(LOCK)
  const stranger = world.visitor()
  const passkey = async () => {
    const response = await owner.fetch('/api/auth/passkey/list-user-passkeys')
    return { status: response.status, body: (await response.json()) as Rejection }
  }
  const answers = await Promise.all([
    owner.get<Rejection>('/me'),
    owner.get<Rejection>(`/organizations/${owner.organization}/models`),
    owner.get<Rejection>(`/organizations/${owner.organization}/events`),
    stranger.post<Rejection>('/sign-in', { email: 'a@b.test', password: 'wrong' }),
    stranger.post<Rejection>('/invitations/look-up', { token: 'made up' }),
    passkey(),
  ])
  const seen = answers.map(({ status, body }) => `${status} ${/\d+ seconds/.exec(body.error.message)?.[0]}`)
  const soon = '503 10 seconds'
  expect(seen).toEqual([soon, soon, soon, '503 25 seconds', soon, soon])
  await locker.query('rollback')
  expect((await owner.get('/me')).status).toBe(200)
  await locker.end()
  await world.close()
  await postgres.stop()
})
