import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openConsoleWorld, type ConsoleWorld } from '../testing/console-world.ts'
import { usePostgres } from '../testing/use-postgres.ts'
import { ADDRESS_HEADER, at, type Answer, type Visitor } from '../testing/visitor.ts'

const MOST = 5
const ATTEMPTS = 8
const QUOTAS = {
  INVITATIONS_PER_ORGANIZATION: String(MOST),
  KEYS_PER_MEMBER: String(MOST),
  MODELS_PER_ORGANIZATION: String(MOST),
  DEVICES_PER_ORGANIZATION: '2',
  ORGANIZATIONS_PER_PERSON: String(MOST),
  PEOPLE_MAKE_ORGANIZATIONS: 'true',
}

interface Refusal {
  error: { code: string; message: string }
}

const postgres = usePostgres()

describe('what one organization keeps', () => {
  let world: ConsoleWorld
  let owner: Visitor & { organization: string }

  beforeAll(async () => {
    world = await openConsoleWorld(await postgres.createDatabase(), QUOTAS)
    owner = await world.setUp('olga@acme.test', 'Acme')
  })
  afterAll(() => world.close())

  const place = (path: string) => at(owner.organization, path)

  const put = (index: number) => owner.send<Refusal>('PUT', place('/models'), { name: `m${index}`, state: 'enabled' })
  const create = (index: number) => owner.post<Refusal>('/organizations', { name: `Org ${index}` })

  it.each<[things: string, advice: string, add: (index: number) => Promise<Answer<Refusal>>]>([
    ['unused invitations', 'Revoke.*INVITATIONS_PER_ORG', () => owner.post(place('/invitations'), { role: 'member' })],
    ['API keys', 'Revoke.*KEYS_PER_MEMBER', () => owner.post(place('/keys'), { name: 'k' })],
    ['models', 'Remove.*MODELS_PER_ORGANIZATION', put],
    ['organizations', 'Leave.*ORGANIZATIONS_PER_PERSON', create],
  ])('is limited for %s, also at the same moment', async (things, advice, add) => {
    const made = await Promise.all(Array.from({ length: ATTEMPTS }, (_, index) => add(index)))
    const rejected = made.filter(({ status }) => status === 409)
    // The organization that is being asked about is one, too.
    expect(rejected).toHaveLength(ATTEMPTS - MOST + (things === 'organizations' ? 1 : 0))
    const message = expect.stringMatching(new RegExp(`has 5 of 5 allowed ${things}\\. ${advice}`))
    expect(rejected[0]?.body.error).toMatchObject({ code: 'quota_exceeded', message })
  })

  it('has room for an invitation again when one of them is revoked, which are listed in pages', async () => {
    const path = place('/invitations')
    const page = await owner.get<{ invitations: { id: string }[] }>(`${path}?offset=3&limit=3`)
    expect(page.body).toMatchObject({ count: MOST, most: MOST })
    expect(page.body.invitations).toHaveLength(2)
    await owner.send('DELETE', `${path}/${page.body.invitations[0]!.id}`)
    expect((await owner.post(path, { role: 'member' })).status).toBe(200)
  })

  it('rejects a device too many with a reason, however it tries to join', async () => {
    const token = async () => (await owner.post<{ token: string }>(place('/enrolments'))).body.token
    const ask = async () => (await call('authorize', { name: 'd' })).body
    const [approved, waiting] = [await ask(), await ask()]
    const tokens = [await token(), await token()]
    const approve = ({ user_code: userCode }: Record<string, string>) =>
      owner.post(place('/device-codes/approve'), { userCode })
    expect((await approve(approved)).status).toBe(204)
    for (const each of tokens) expect((await call('enrol', { token: each, name: 'd' })).status).toBe(200)
    const rejected = [
      await call('token', { device_code: approved['device_code'] }),
      await approve(waiting),
      await owner.post(place('/enrolments')),
    ]
    const reason = /2 of 2 allowed devices\. Remove devices that you don't use, or ask the operator/
    for (const { status, body } of rejected) {
      expect(status).toBe(409)
      expect(body).toMatchObject({ error: { code: 'quota_exceeded', message: expect.stringMatching(reason) } })
    }
    const { body } = await owner.get<{ devices: { id: string }[] }>(place('/devices'))
    await owner.send('DELETE', place(`/devices/${body.devices[0]!.id}`))
    expect((await call('token', { device_code: approved['device_code'] })).status).toBe(200)
  })

  /** As a machine that wants to join. */
  async function call(path: string, body: object): Promise<{ status: number; body: Record<string, string> }> {
    const response = await fetch(`${world.base}/device/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [ADDRESS_HEADER]: '10.1.2.3' },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json()) as Record<string, string> }
  }
})
