// Signing in and out, and which requests are accepted.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createInvitationToken } from '../../access/secrets/secrets.ts'
import { acme, inAcme, makeKey, newcomer, people, useKey, world } from '../../testing/console-fixture.ts'
import { PASSWORD } from '../../testing/console-world.ts'
import { totp } from '../../testing/totp.ts'
import { codes, Visitor } from '../../testing/visitor.ts'

describe('signing in', () => {
  it('sets a cookie that scripts and other sites cannot use', async () => {
    const visitor = world.visitor()
    const { headers, body } = await visitor.post('/sign-in', { email: 'Mia@acme.test', password: PASSWORD })
    expect(body).toEqual({ next: 'done' })
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^hearth-session=.*HttpOnly; SameSite=Strict$/)])
    expect((await visitor.get('/me')).body).toMatchObject({
      person: { email: 'mia@acme.test', hasPassword: true, hasSecondFactor: false },
      organizations: [{ id: acme, name: 'Acme', role: 'member' }],
      activeOrganization: acme,
    })
  })

  it('sets a secure cookie over HTTPS, even if no setting says so', async () => {
    const body = { email: 'mia@acme.test', password: PASSWORD }
    const visitor = world.visitor()
    const origin = world.base.replace('http:', 'https:')
    const { headers } = await visitor.send('POST', '/sign-in', body, { origin, 'x-forwarded-proto': 'https' })
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^hearth-session=.*; Secure$/)])
  })

  it('[P2] leaves nothing in the database that would sign anyone in', async () => {
    const visitor = world.visitor()
    await visitor.post('/sign-in', { email: 'mia@acme.test', password: PASSWORD })
    const [token] = decodeURIComponent(visitor.cookie.split('=')[1]!).split('.')
    const tables = (await world.store.accountTables())({ user: { modelName: 'person' } })
    const sessions = await tables.findMany<{ token: string }>({ model: 'session' })
    expect(sessions.length).toBeGreaterThan(0)
    expect(sessions.filter((session) => !/^[0-9a-f]{64}$/.test(session.token))).toEqual([])
    expect(JSON.stringify(sessions)).not.toContain(token)
  })

  it('gives the same error for a wrong password and an unknown address', async () => {
    const wrong = await world.visitor().post('/sign-in', { email: 'mia@acme.test', password: 'not the password' })
    const unknown = await world.visitor().post('/sign-in', { email: 'no@acme.test', password: 'not the password' })
    expect([wrong.status, wrong.body]).toEqual([401, unknown.body])
    expect(Visitor.code(wrong)).toBe('wrong_sign_in')
  })

  it('is blocked after too many attempts at one account, except where the person signed in before', async () => {
    const email = `${randomUUID()}@acme.test`
    const person = await world.join(acme, email, 'member')
    const guess = () => world.visitor().post('/sign-in', { email, password: 'guess' })
    const answers = await Promise.all(Array.from({ length: 40 }, guess))
    expect(new Set(codes(answers))).toEqual(new Set(['wrong_sign_in', 'rate_limit_exceeded']))
    const blocked = answers.find(({ status }) => status === 429)
    expect(Number(blocked!.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await person.post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
  })

  it('is not possible with an account someone creates themselves', async () => {
    const response = await fetch(`${world.base}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: world.base },
      body: JSON.stringify({ name: 'X', email: 'x@x.test', password: PASSWORD }),
    })
    expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'not_found' } }])
  })

  it('ends with signing out, for the cookie and for the playground key', async () => {
    const visitor = world.visitor()
    await visitor.post('/sign-in', { email: 'mia@acme.test', password: PASSWORD })
    const { cookie } = visitor
    const { secret } = (await visitor.post<{ secret: string }>(inAcme('/playground-key'))).body
    expect((await useKey(secret)).status).toBe(200)
    expect((await visitor.post('/sign-out')).status).toBe(204)
    const replayed = await world.visitor().send('GET', '/me', undefined, { cookie })
    expect(Visitor.code(replayed)).toBe('not_signed_in')
    expect((await useKey(secret)).status).toBe(401)
  })

  it('ends one session or all others from the list of sessions, with the playground key, and says so in the audit log', async () => {
    const email = `${randomUUID()}@acme.test`
    const here = await world.join(acme, email, 'member')
    const [there, elsewhere] = [world.visitor(), world.visitor()]
    for (const visitor of [there, elsewhere]) await visitor.post('/sign-in', { email, password: PASSWORD })
    const { secret } = (await there.post<{ secret: string }>(inAcme('/playground-key'))).body
    type Listed = { sessions: { id: string; isThis: boolean; address: string }[] }
    const { sessions } = (await there.get<Listed>('/me/sessions')).body
    expect(sessions).toHaveLength(3)
    const own = sessions.filter(({ isThis }) => isThis)
    expect(own).toHaveLength(1)
    const other = await newcomer()
    expect(Visitor.code(await other.send('DELETE', `/me/sessions/${own[0]!.id}`))).toBe('not_found')
    expect((await here.send('DELETE', `/me/sessions/${own[0]!.id}`)).status).toBe(204)
    expect(Visitor.code(await there.get('/me'))).toBe('not_signed_in')
    expect((await useKey(secret)).status).toBe(401)
    expect((await here.send('DELETE', '/me/sessions')).status).toBe(204)
    expect(Visitor.code(await elsewhere.get('/me'))).toBe('not_signed_in')
    expect((await here.get<Listed>('/me/sessions')).body.sessions).toMatchObject([{ isThis: true }])
    const { entries } = (await people.owner.get<{ entries: object[] }>(inAcme('/audit'))).body
    const ended = { action: 'member.end-sessions', after: { sessions: 1 } }
    expect(entries.slice(0, 2)).toMatchObject([ended, ended])
  })

  it('needs the second factor once it is set up', async () => {
    const email = `${randomUUID()}@acme.test`
    const person = await world.join(acme, email, 'member')
    const begun = await person.post<{ uri: string; backupCodes: string[] }>('/me/second-factor', {
      password: PASSWORD,
    })
    expect(Visitor.code(await person.post('/me/second-factor/confirm', { code: '000000' }))).toBe('wrong_sign_in')
    const code = totp(begun.body.uri)
    expect((await person.post('/me/second-factor/confirm', { code })).status).toBe(204)
    const visitor = world.visitor()
    expect((await visitor.post('/sign-in', { email, password: PASSWORD })).body).toEqual({ next: 'second-factor' })
    expect(Visitor.code(await visitor.get('/me'))).toBe('not_signed_in')
    const backup = { code: begun.body.backupCodes[0], isBackupCode: true }
    expect((await visitor.post('/sign-in/second-factor', backup)).status).toBe(200)
    expect((await visitor.get('/me')).body).toMatchObject({ person: { hasSecondFactor: true } })
    const again = world.visitor()
    await again.post('/sign-in', { email, password: PASSWORD })
    expect(Visitor.code(await again.post('/sign-in/second-factor', backup))).toBe('wrong_sign_in')
    expect((await visitor.post('/me/second-factor/end', { password: PASSWORD })).status).toBe(204)
  })

  it('accepts a code from the app once, also if two try at the same moment', async () => {
    const email = `${randomUUID()}@acme.test`
    const person = await world.join(acme, email, 'member')
    const { uri } = (await person.post<{ uri: string }>('/me/second-factor', { password: PASSWORD })).body
    const first = totp(uri)
    expect((await person.post('/me/second-factor/confirm', { code: first })).status).toBe(204)
    const attempt = async () => {
      const visitor = world.visitor()
      expect((await visitor.post('/sign-in', { email, password: PASSWORD })).body).toEqual({ next: 'second-factor' })
      return visitor
    }
    // The clock may have moved on, so that the code is one of the future no more.
    const code = totp(uri, 1)
    const attempts = await Promise.all([attempt(), attempt(), attempt()])
    const answers = await Promise.all(attempts.map((visitor) => visitor.post('/sign-in/second-factor', { code })))
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401, 401])
    const wrong = await (await attempt()).post('/sign-in/second-factor', { code: '000000' })
    const replayed = await (await attempt()).post('/sign-in/second-factor', { code })
    expect([replayed.status, replayed.body]).toEqual([wrong.status, wrong.body])
    const earlier = await (await attempt()).post('/sign-in/second-factor', { code: first })
    expect([earlier.status, earlier.body]).toEqual([wrong.status, wrong.body])
  })

  it('ends in all other sessions when the password changes', async () => {
    const email = `${randomUUID()}@acme.test`
    const here = await world.join(acme, email, 'member')
    const there = world.visitor()
    await there.post('/sign-in', { email, password: PASSWORD })
    const next = 'another long password'
    const wrong = await here.send('PUT', '/me/password', { current: 'not the password', next })
    expect(Visitor.code(wrong)).toBe('wrong_sign_in')
    expect((await here.send('PUT', '/me/password', { current: PASSWORD, next })).status).toBe(204)
    expect((await here.get('/me')).status).toBe(200)
    expect(Visitor.code(await there.get('/me'))).toBe('not_signed_in')
    expect((await there.post('/sign-in', { email, password: next })).status).toBe(200)
  })
})

describe('a password that is easy to guess', () => {
  const name = 'Olga'
  const email = 'olga.petrova@acme.test'
  const expiresAt = new Date(Date.now() + 600_000)

  it.each(['p4ssw0rd2026', 'olga.petrova rides fast'])(
    'accepts no invitation, and replaces no password: %s',
    async (weak) => {
      const { store } = world
      const { key: token, digest } = createInvitationToken()
      await store.createInvitation({ organization: acme, role: 'member', digest, expiresAt })
      const visitor = world.visitor()
      const person = { name, email: `${randomUUID()}.${email}`, password: PASSWORD }
      const accept = (password: string) =>
        visitor.post('/invitations/accept', { token, person: { ...person, password } })
      const rejected = [await accept(weak)]
      expect((await accept(PASSWORD)).status).toBe(200)
      rejected.push(await visitor.send('PUT', '/me/password', { current: PASSWORD, next: weak }))
      expect(codes(rejected)).toEqual(rejected.map(() => 'weak_password'))
    },
  )
})

describe('access', () => {
  it('needs a session here and an API key there, never the other way around', async () => {
    const { secret } = await makeKey(people.member)
    const withKey = await world.visitor().send('GET', '/me', undefined, { authorization: `Bearer ${secret}` })
    expect(Visitor.code(withKey)).toBe('not_signed_in')
    const headers = { cookie: people.member.cookie }
    expect((await fetch(`${world.base}/openai/v1/models`, { headers })).status).toBe(401)
  })

  it.each([
    { origin: 'https://evil.test' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:1' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('is denied to the pages of another site: %j', async (headers) => {
    const before = (await people.owner.get(inAcme('/keys'))).body
    for (const [method, path, body] of [
      ['POST', inAcme('/keys'), { name: 'evil' }],
      ['DELETE', inAcme('/models?name=m'), undefined],
      ['POST', '/sign-out', undefined],
    ] as const) {
      const answer = await people.owner.send(method, path, body, headers)
      expect([method, path, Visitor.code(answer)]).toEqual([method, path, 'wrong_origin'])
    }
    expect((await people.owner.get(inAcme('/keys'))).body).toEqual(before)
  })

  it('has no CORS headers, so no other site can read a response', async () => {
    const { headers } = await people.owner.send('GET', '/me', undefined, { origin: 'https://evil.test' })
    expect(headers.has('access-control-allow-origin')).toBe(false)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})
