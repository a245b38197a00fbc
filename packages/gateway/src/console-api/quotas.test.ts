import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConsoleWorld, type ConsoleWorld } from '../testing/console-world.ts'
import { startPostgres, type TestPostgres } from '../testing/start-postgres.ts'
import type { Visitor } from '../testing/visitor.ts'

const MOST = 5
const ATTEMPTS = 40
const QUOTAS = {
  INVITATIONS_PER_ORGANIZATION: String(MOST),
  MODELS_PER_ORGANIZATION: String(MOST),
  ORGANIZATIONS_PER_PERSON: String(MOST),
  PEOPLE_MAKE_ORGANIZATIONS: 'true',
}

interface Refusal {
  error: { code: string; message: string }
}

describe('what one organization keeps', () => {
  let postgres: TestPostgres
  let world: ConsoleWorld
  let owner: Visitor & { organization: string }

  beforeAll(async () => {
    postgres = await startPostgres()
    world = await openConsoleWorld(await postgres.createDatabase(), QUOTAS)
    owner = await world.setUp('olga@acme.test', 'Acme')
  })
  afterAll(async () => {
    await world.close()
    await postgres.stop()
  })

  async function attempt(method: string, path: string, bodyOf: (index: number) => object) {
    const sent = Array.from({ length: ATTEMPTS }, (_, index) => owner.send<Refusal>(method, path, bodyOf(index)))
    const answers = await Promise.all(sent)
    const rejected = answers.filter(({ status }) => status === 409)
    return { accepted: answers.length - rejected.length, rejected: rejected.map(({ body }) => body.error) }
  }

  it('is limited for invitations, which are listed in pages', async () => {
    const path = `/organizations/${owner.organization}/invitations`
    const { accepted, rejected } = await attempt('POST', path, () => ({ role: 'member' }))
    expect(accepted).toBe(MOST)
    expect(rejected[0]).toMatchObject({
      code: 'quota_exceeded',
      message: expect.stringContaining('the organization has 5 of 5 allowed unused invitations. Revoke some of them'),
    })
    const page = await owner.get<{ invitations: { id: string }[] }>(`${path}?offset=3&limit=3`)
    expect(page.body).toMatchObject({ count: MOST, most: MOST })
    expect(page.body.invitations).toHaveLength(2)
    expect((await owner.get(`${path}?limit=1000`)).status).toBe(400)
    await owner.send('DELETE', `${path}/${page.body.invitations[0]!.id}`)
    expect((await owner.post(path, { role: 'member' })).status).toBe(200)
  })

  it('is limited for models', async () => {
    const path = `/organizations/${owner.organization}/models`
    const { accepted, rejected } = await attempt('PUT', path, (index) => ({ name: `m${index}`, state: 'enabled' }))
    expect(accepted).toBe(MOST)
    expect(rejected[0]).toMatchObject({ message: expect.stringContaining('5 of 5 allowed models. Remove models') })
  })

  it('is limited for one person who creates organizations', async () => {
    const { accepted, rejected } = await attempt('POST', '/organizations', (index) => ({ name: `Org ${index}` }))
    expect(accepted).toBe(MOST - 1)
    expect(rejected[0]).toMatchObject({ message: expect.stringContaining('5 of 5 allowed organizations. Leave') })
  })
})
