// Keys, models, devices and the audit log.

import { describe, expect, it } from 'vitest'
import {
  acme,
  chat,
  inAcme,
  makeKey,
  newcomer,
  other,
  people,
  putModel,
  stranger,
  useKey,
  world,
} from '../../testing/console-fixture.ts'
import { PASSWORD } from '../../testing/console-world.ts'
import { at, codes, Visitor, type Answer } from '../../testing/visitor.ts'

describe('keys', () => {
  it('are shown once, and only to their creator and admins', async () => {
    const { key, secret } = await makeKey(people.member, { name: 'mine' })
    const list = async (visitor: Visitor) =>
      (await visitor.get<{ keys: { id: string; isYours: boolean }[] }>(inAcme('/keys'))).body
    const [own, all] = [await list(people.member), await list(people.admin)]
    expect(own.keys.every(({ isYours }) => isYours)).toBe(true)
    expect(all.keys.find(({ id }) => id === key.id)).toMatchObject({ hint: secret.slice(-4), isYours: false })
    expect(JSON.stringify([own, all])).not.toContain(secret)
    const { key: foreign } = await makeKey(people.owner)
    expect((await people.member.send('DELETE', inAcme(`/keys/${foreign.id}`))).status).toBe(404)
    expect((await people.admin.send('DELETE', inAcme(`/keys/${key.id}`))).status).toBe(204)
    expect((await useKey(secret)).status).toBe(401)
  })

  it('[M21] can be limited to some models, and reach none of another organization', async () => {
    for (const name of ['yes/one:7b', 'no']) await putModel({ name })
    await stranger.send('PUT', at(other, '/models'), { name: 'theirs', state: 'enabled' })
    const { secret } = await makeKey(people.member, { models: ['yes/one:7b', 'theirs'] })
    const listed = (await (await useKey(secret)).json()) as { data: { id: string }[] }
    expect(listed.data.map(({ id }) => id)).toEqual(['yes/one:7b'])
    for (const model of ['no', 'theirs']) {
      expect((await useKey(secret, `/models/${model}`)).status).toBe(404)
      const answer = await chat(secret, JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }))
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'model_not_found' } }])
    }
  })

  it('of the playground expire within an hour and are not listed', async () => {
    const { secret, expiresAt } = (
      await people.member.post<{ secret: string; expiresAt: string }>(inAcme('/playground-key'))
    ).body
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
    const { keys } = (await people.owner.get<{ keys: { hint: string }[] }>(inAcme('/keys'))).body
    expect(keys.some(({ hint }) => secret.endsWith(hint))).toBe(false)
    expect((await useKey(secret)).status).toBe(200)
  })
})

it('models are enabled, labeled, disabled and removed under any name', async () => {
  const show = async () => {
    const { models } = (await people.member.get<{ models: { name: string }[] }>(inAcme('/models'))).body
    return models.find((model) => model.name === 'typed/by-hand')
  }
  const put = (body: object) => putModel({ name: 'typed/by-hand', ...body })
  await put({ state: 'enabled', ownedBy: 'research' })
  expect(await show()).toMatchObject({ state: 'enabled', ownedBy: 'research', devices: [], contextLength: null })
  await put({ state: 'disabled' })
  expect(await show()).toMatchObject({ state: 'disabled', ownedBy: 'research' })
  const remove = () => people.admin.send('DELETE', inAcme('/models?name=typed%2Fby-hand'))
  expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
  expect(await show()).toBeUndefined()
  expect(Visitor.code(await put({ state: 'disabled' }))).toBe('not_found')
})

describe('devices', () => {
  it('join with tokens that an admin creates and can revoke', async () => {
    const made = await people.admin.post<{ enrolment: { id: string }; token: string; command: string }>(
      inAcme('/enrolments'),
    )
    const { token, command, enrolment } = made.body
    expect(command).toBe(
      `npm exec --yes --package=${world.base}/device/v1/installer.tgz -- hearth-device-install ${world.base} --token ${token}`,
    )
    expect((await people.admin.get(inAcme('/enrolments'))).body).toMatchObject({
      enrolments: [{ id: enrolment.id, createdBy: 'adam' }],
    })
    expect((await people.admin.send('DELETE', inAcme(`/enrolments/${enrolment.id}`))).status).toBe(204)
    expect((await device('enrol', { token, name: 'd' })).status).toBe(401)
  })

  it('get an encrypted install line over HTTPS, even if no setting says so', async () => {
    const origin = world.base.replace('http:', 'https:')
    const path = inAcme('/enrolments')
    const { body } = await people.admin.send<{ command: string }>('POST', path, undefined, { origin })
    expect(body.command).toContain(`hearth-device-install ${origin} `)
    expect(body.command).not.toMatch(/http:|--allow-insecure/)
  })

  it('join with a code that someone reads and approves', async () => {
    const asked = await device('authorize', { name: 'st\u202Eudio', app: '0.1.0', system: 'linux x64' })
    expect(asked.body).toEqual({
      device_code: expect.stringMatching(/^hc-hearth-/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${world.base}/device`,
      expires_in: 600,
      interval: 5,
    })
    const { device_code, user_code } = asked.body as Record<string, string>
    expect(Visitor.code(await device('token', { device_code }))).toBe('authorization_pending')
    expect(Visitor.code(await device('token', { device_code }))).toBe('slow_down')
    const userCode = user_code!.replace('-', ' ').toLowerCase()
    expect((await people.admin.post(inAcme('/device-codes/look-up'), { userCode })).body).toMatchObject({
      name: 'studio',
      app: '0.1.0',
      system: 'linux x64',
      address: expect.stringMatching(/^10\./),
    })
    const approved = await people.admin.post(inAcme('/device-codes/approve'), {
      userCode,
      name: 'Studio',
    })
    expect(approved.status).toBe(204)
    const joined = await device('token', { device_code })
    expect(joined).toMatchObject({
      status: 200,
      body: { organization: acme, credential: expect.any(String) },
    })
    expect(Visitor.code(await device('token', { device_code }))).toBe('expired_token')
    const { devices } = (await people.member.get<{ devices: object[] }>(inAcme('/devices'))).body
    expect(devices).toContainEqual(expect.objectContaining({ name: 'Studio', state: 'offline', isPaused: false }))
  })

  it('are rejected when their code was guessed at, and the guesser is blocked', async () => {
    const asked = await device('authorize', { name: 'd', app: '', system: '' })
    const { device_code, user_code } = asked.body as Record<string, string>
    const guesser = await newcomer('admin')
    const guess = `${user_code!.slice(0, 5)}${user_code!.endsWith('B') ? 'CCCC' : 'BBBB'}`
    const answers = []
    for (let count = 0; count < 11; count++)
      answers.push(await guesser.post(inAcme('/device-codes/look-up'), { userCode: guess }))
    expect(codes(answers)).toEqual([...Array.from({ length: 10 }, () => 'not_found'), 'rate_limit_exceeded'])
    const right = await people.admin.post(inAcme('/device-codes/approve'), { userCode: user_code })
    expect(Visitor.code(right)).toBe('not_found')
    expect(Visitor.code(await device('token', { device_code }))).toBe('access_denied')
  })

  it('are rejected when someone denies them, or without a valid code', async () => {
    const asked = await device('authorize', { name: 'd' })
    const { device_code, user_code } = asked.body as Record<string, string>
    await people.admin.post(inAcme('/device-codes/deny'), { userCode: user_code })
    expect(Visitor.code(await device('token', { device_code }))).toBe('access_denied')
    expect(Visitor.code(await device('token', { device_code: 'made up' }))).toBe('expired_token')
    expect(Visitor.code(await device('token', {}))).toBe('missing_required_parameter')
    expect(Visitor.code(await device('authorize', { name: 'x'.repeat(129) }))).toBe('invalid_value')
  })

  async function device(path: string, body: object): Promise<Answer> {
    const response = await fetch(`${world.base}/device/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-visitor-address': world.visitor().address },
      body: JSON.stringify(body),
    })
    const answer = (await response.json()) as Record<string, unknown>
    return { status: response.status, headers: response.headers, body: answer }
  }
})

it('the audit log names the person, pages backwards, and contains no secrets', async () => {
  const { secret, key } = await makeKey(people.admin, { name: 'audited' })
  await people.admin.send('DELETE', inAcme(`/keys/${key.id}`))
  const page = async (query: string) =>
    (
      await people.owner.get<{ entries: { action: string; actor: object }[]; next: string | null }>(
        inAcme(`/audit${query}`),
      )
    ).body
  const first = await page('?limit=1')
  const second = await page(`?limit=1&before=${first.next}`)
  expect([...first.entries, ...second.entries]).toMatchObject([
    { action: 'key.revoke', actor: { kind: 'person', name: 'adam' }, object: { name: 'audited' } },
    { action: 'key.create', actor: { kind: 'person', name: 'adam' }, object: { name: 'audited' } },
  ])
  const whole = JSON.stringify(await page('?limit=200'))
  expect(whole).not.toContain(secret)
  expect(whole).not.toMatch(/sk-hearth-|digest|"password":/i)
  expect(whole).not.toContain(PASSWORD)
})
