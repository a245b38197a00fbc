import { createEnrolmentToken } from '@hearth/gateway/testing'
import { CLOSE } from '@hearth/protocol'
import { afterAll, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/expect-reply.ts'
import { HI, LONELY, startSystem } from '../harness/start-system.ts'

const system = await startSystem({ devices: 'none', settings: { ACCESS_POLL_MS: '100' } })
afterAll(async () => system[Symbol.asyncDispose]())
const { client, origin } = system

const HOUR_MS = 3_600_000

async function createToken(expiresAt = new Date(Date.now() + HOUR_MS)): Promise<string> {
  const { key, digest } = createEnrolmentToken()
  await system.change((store, { home }) => store.createEnrolment({ organization: home, digest, expiresAt }))
  return key
}

async function redeem(body: object) {
  return client.call(`${origin}/device/v1/enrol`, { key: null, body })
}

describe('enrolment', () => {
  it('[L23] creates one device from a token, even if several try at the same moment', async () => {
    const token = await createToken()
    const answers = await Promise.all(Array.from({ length: 3 }, async () => redeem({ token, name: 'laptop' })))
    const winners = answers.filter((answer) => answer.status === 200)
    expect(winners).toHaveLength(1)
    const fields = ['credential', 'device', 'name', 'organization']
    expect(Object.keys(winners[0]!.json as object).toSorted()).toStrictEqual(fields)
    for (const loser of answers.filter((answer) => answer !== winners[0]))
      expectError(loser, { status: 401, code: 'invalid_api_key' })
    expectError(await redeem({ token, name: 'laptop' }), { status: 401, code: 'invalid_api_key' })
  })

  it('[L23] rejects expired, unknown and malformed tokens', async () => {
    const late = await createToken(new Date(Date.now() - 1000))
    for (const token of [late, createEnrolmentToken().key, client.key])
      expect((await redeem({ token, name: 'laptop' })).status).toBe(401)
    for (const body of [{}, { token: 5, name: 'x' }, { token: 'x', name: '' }])
      expect((await redeem(body)).status).toBe(400)
  })

  it('rejects a name that is too long', async () => {
    expectError(await redeem({ token: await createToken(), name: 'x'.repeat(129) }), {
      status: 400,
      code: 'invalid_value',
    })
  })
})

describe('credentials', () => {
  it.each([
    ['none', 'none'],
    ['an API key', client.key],
    ['a made-up credential', createEnrolmentToken().key.replace('he-', 'hd-')],
  ])('[L22] are rejected before the upgrade: %s', async (_, credential) => {
    await expect(system.connectDevice({ models: [LONELY], credential })).rejects.toThrow('401')
  })

  it('[L22] [L19] stop working when their device is removed', async () => {
    const token = await createToken()
    const { device: id, credential } = (await redeem({ token, name: 'lost' })).json as {
      device: string
      credential: string
    }
    const device = await system.connectDevice({ models: [LONELY], credential })
    expectCompletion(await client.post({ model: LONELY, messages: HI }))
    await system.change((store, { home }) => store.removeDevice({ organization: home, device: id }))
    expect(await device.closed).toMatchObject({ code: CLOSE.revoked })
    await expect(system.connectDevice({ models: [LONELY], credential })).rejects.toThrow('401')
  })
})
