// An organization that has as many devices as it may have, seen from the console and from a machine that wants to join.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openConsoleWorld, type ConsoleWorld } from '../../testing/console-world.ts'
import { usePostgres } from '../../testing/use-postgres.ts'
import { ADDRESS_HEADER } from '../../testing/visitor.ts'

const postgres = usePostgres()
let world: ConsoleWorld
let owner: Awaited<ReturnType<ConsoleWorld['setUp']>>

const REASON = /2 of 2 allowed devices\. Remove devices that you don't use, or ask the operator/

beforeAll(async () => {
  world = await openConsoleWorld(await postgres.createDatabase(), { DEVICES_PER_ORGANIZATION: '2' })
  owner = await world.setUp('olga@acme.test', 'Acme')
})
afterAll(async () => world.close())

async function call(path: string, body: object): Promise<{ status: number; body: Record<string, string> }> {
  const headers = { 'content-type': 'application/json', [ADDRESS_HEADER]: '10.1.2.3' }
  const response = await fetch(`${world.base}/device/v1/${path}`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  return { status: response.status, body: (await response.json()) as Record<string, string> }
}

describe('a device too many', () => {
  it('[L34] is rejected with a reason, however it tries to join', async () => {
    const at = (path: string) => `/organizations/${owner.organization}${path}`
    const token = async () => (await owner.post<{ token: string }>(at('/enrolments'))).body.token
    const ask = async () => (await call('authorize', { name: 'd' })).body
    const [approved, waiting] = [await ask(), await ask()]
    const tokens = [await token(), await token()]
    const approve = ({ user_code: userCode }: Record<string, string>) =>
      owner.post(at('/device-codes/approve'), { userCode })
    expect((await approve(approved)).status).toBe(204)
    for (const each of tokens) expect((await call('enrol', { token: each, name: 'd' })).status).toBe(200)

    const rejected = [
      await call('token', { device_code: approved['device_code'] }),
      await approve(waiting),
      await owner.post(at('/enrolments')),
    ]
    for (const { status, body } of rejected) {
      expect(status).toBe(409)
      expect(body).toMatchObject({ error: { code: 'quota_exceeded', message: expect.stringMatching(REASON) } })
    }
    const { body } = await owner.get<{ devices: { id: string }[] }>(at('/devices'))
    await owner.send('DELETE', at(`/devices/${body.devices[0]!.id}`))
    expect((await call('token', { device_code: approved['device_code'] })).status).toBe(200)
  })
})
