// What the console API does, over HTTP, whichever database is behind it.

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { POLICY, type Action } from '../access/policy.ts'
import { createInvitationToken, createSetUpToken } from '../access/keys.ts'
import type { Role } from '../store/store.ts'
import { openConsoleWorld, PASSWORD, type ConsoleWorld } from '../testing/console-world.ts'
import { Visitor, type Answer } from '../testing/visitor.ts'
import { ROUTES } from './contract/document.ts'
import { ACCESS_FIELD, type DescribedRoute } from './contract/route.ts'

const ROLES: readonly Role[] = ['owner', 'admin', 'member']

interface KeyBody {
  key: { id: string; hint: string }
  secret: string
}

function codes(answers: readonly Answer[]): (string | undefined)[] {
  return answers.map((answer) => Visitor.code(answer))
}

export function describeConsole(name: string, open: () => Promise<string>): void {
  describe(`console API on ${name}`, () => {
    let world: ConsoleWorld
    let acme: string
    let other: string
    let people: Record<Role, Visitor>
    let stranger: Visitor

    beforeAll(async () => {
      world = await openConsoleWorld(await open(), { PEOPLE_MAKE_ORGANIZATIONS: 'true' })
      const owner = await world.setUp('olga@acme.test', 'Acme')
      acme = owner.organization
      const admin = await world.join(acme, 'adam@acme.test', 'admin')
      const member = await world.join(acme, 'mia@acme.test', 'member')
      people = { owner, admin, member }
      other = (await world.store.createOrganization({ name: 'Other' })).id
      stranger = await world.join(other, 'sam@other.test', 'owner')
    })
    afterAll(async () => {
      await world.close()
    })

    function at(organization: string, path = ''): string {
      return `/organizations/${organization}${path}`
    }

    function useKey(secret: string, path = '/models'): Promise<Response> {
      return fetch(`${world.base}/openai/v1${path}`, { headers: { authorization: `Bearer ${secret}` } })
    }

    async function personOf(visitor: Visitor): Promise<string> {
      return (await visitor.get<{ person: { id: string } }>('/me')).body.person.id
    }

    async function makeKey(visitor: Visitor, body: object = {}): Promise<KeyBody> {
      return (await visitor.post<KeyBody>(at(acme, '/keys'), { name: 'k', ...body })).body
    }

    describe('setting up', () => {
      it('[M1] works once, and not at all once somebody can sign in', async () => {
        const { key: token, digest } = createSetUpToken()
        await world.store.createSetUpLink({ digest, expiresAt: new Date(Date.now() + 60_000) })
        const body = { token, name: 'X', email: `${randomUUID()}@x.test`, password: PASSWORD, organization: 'X' }
        expect(Visitor.code(await world.visitor().post('/set-up', body))).toBe('invalid_link')
        expect((await world.visitor().get('/sign-in')).body).toMatchObject({ isSetUp: true, provider: null })
      })
    })

    describe('signing in', () => {
      it('[M3] sets a cookie that scripts and other sites cannot use', async () => {
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

      it('[M4] tells a wrong password from an unknown address by nothing', async () => {
        const wrong = await world.visitor().post('/sign-in', { email: 'mia@acme.test', password: 'not the password' })
        const unknown = await world.visitor().post('/sign-in', { email: 'no@acme.test', password: 'not the password' })
        expect([wrong.status, wrong.body]).toEqual([401, unknown.body])
        expect(Visitor.code(wrong)).toBe('wrong_sign_in')
      })

      it('[M4] is refused for a while after too many tries, whatever address they come from', async () => {
        const body = { email: `${randomUUID()}@acme.test`, password: 'guess' }
        const answers = []
        for (let count = 0; count < 11; count++) answers.push(await world.visitor().post('/sign-in', body))
        expect(codes(answers)).toEqual([...Array.from({ length: 10 }, () => 'wrong_sign_in'), 'rate_limit_exceeded'])
        expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0)
      })

      it('[M2] is the only way: nobody makes an account by themselves', async () => {
        const response = await fetch(`${world.base}/api/auth/sign-up/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: world.base },
          body: JSON.stringify({ name: 'X', email: 'x@x.test', password: PASSWORD }),
        })
        expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'not_found' } }])
      })

      it('[M8] ends with signing out, for the cookie and for the playground', async () => {
        const visitor = world.visitor()
        await visitor.post('/sign-in', { email: 'mia@acme.test', password: PASSWORD })
        const { cookie } = visitor
        const { secret } = (await visitor.post<{ secret: string }>(at(acme, '/playground-key'))).body
        expect((await useKey(secret)).status).toBe(200)
        expect((await visitor.post('/sign-out')).status).toBe(204)
        const replayed = await world.visitor().send('GET', '/me', undefined, { cookie })
        expect(Visitor.code(replayed)).toBe('not_signed_in')
        expect((await useKey(secret)).status).toBe(401)
      })

      it('[M5] asks for the second factor once there is one', async () => {
        const email = `${randomUUID()}@acme.test`
        const person = await world.join(acme, email, 'member')
        const begun = await person.post<{ uri: string; backupCodes: string[] }>('/me/second-factor', {
          password: PASSWORD,
        })
        expect(Visitor.code(await person.post('/me/second-factor/confirm', { code: '000000' }))).toBe('wrong_sign_in')
        const code = await totp(begun.body.uri)
        expect((await person.post('/me/second-factor/confirm', { code })).status).toBe(204)
        const visitor = world.visitor()
        expect((await visitor.post('/sign-in', { email, password: PASSWORD })).body).toEqual({ next: 'second-factor' })
        expect(Visitor.code(await visitor.get('/me'))).toBe('not_signed_in')
        const backup = { code: begun.body.backupCodes[0], isBackupCode: true }
        expect((await visitor.post('/sign-in/second-factor', backup)).status).toBe(200)
        expect((await visitor.get('/me')).body).toMatchObject({ person: { hasSecondFactor: true } })
        expect((await visitor.post('/me/second-factor/end', { password: PASSWORD })).status).toBe(204)
      })

      it('[M8] ends everywhere else when the password is changed', async () => {
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

    describe('what is let in', () => {
      it('[M6] is a session here and a key there, never the other way round', async () => {
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
      ])('[M7] is nothing a page of another site sends: %j', async (headers) => {
        const before = (await people.owner.get(at(acme, '/keys'))).body
        for (const [method, path, body] of [
          ['POST', at(acme, '/keys'), { name: 'evil' }],
          ['DELETE', at(acme, '/models?name=m'), undefined],
          ['POST', '/sign-out', undefined],
        ] as const) {
          const answer = await people.owner.send(method, path, body, headers)
          expect([method, path, Visitor.code(answer)]).toEqual([method, path, 'wrong_origin'])
        }
        expect((await people.owner.get(at(acme, '/keys'))).body).toEqual(before)
      })

      it('[M7] has no CORS: no other site may read an answer', async () => {
        const { headers } = await people.owner.send('GET', '/me', undefined, { origin: 'https://evil.test' })
        expect(headers.has('access-control-allow-origin')).toBe(false)
        expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      })
    })

    describe('the policy', () => {
      const guarded = ROUTES.filter((route) => Object.hasOwn(POLICY, route[ACCESS_FIELD]))

      function call(visitor: Visitor, organization: string, { method, path }: DescribedRoute): Promise<Answer> {
        const url = path
          .replace('{organization}', organization)
          .replaceAll(/\{\w+\}/g, '00000000-0000-0000-0000-000000000000')
        // Nothing that fits a schema: whoever is let in gets as far as 400 or 404, and nothing is changed. Events would never end.
        const isStream = path.endsWith('/events')
        return visitor.send(isStream ? 'HEAD' : method.toUpperCase(), url, method === 'get' ? undefined : '[]')
      }

      it.each(ROLES.flatMap((role) => guarded.map((route) => [role, route.operationId, route] as const)))(
        '[M9] lets a %s do as the table says: %s',
        async (role, _, route) => {
          const isHarmless = route.operationId !== 'leaveOrganization' && !route.operationId.startsWith('create')
          const reach = POLICY[route[ACCESS_FIELD] as Action][role]
          if (!isHarmless && reach !== 'none') return expect(reach).toBe('all')
          const { status, ...answer } = await call(people[role], acme, route)
          expect([status === 403, Visitor.code({ status, ...answer }) === 'not_permitted']).toEqual([
            reach === 'none',
            reach === 'none',
          ])
        },
      )

      it.each(guarded.map((route) => [route.operationId, route] as const))(
        '[M10] hides another organization from %s, owner or not, existing or not',
        async (_, route) => {
          const [foreign, none] = [await call(stranger, acme, route), await call(stranger, 'nowhere', route)]
          if (route.path.endsWith('/events')) return expect([foreign.status, none.status]).toEqual([404, 404])
          expect([foreign.status, foreign.body]).toEqual([404, none.body])
        },
      )

      it.each(
        ROUTES.filter((route) => route[ACCESS_FIELD] !== 'anyone').map((route) => [route.operationId, route] as const),
      )('[M9] lets nobody into %s without a session', async (_, route) => {
        const answer = await call(world.visitor(), acme, route)
        expect(answer.status).toBe(401)
      })

      it('[M12] covers every route there is, and every route is described and answered', async () => {
        const description = (await (await fetch(`${world.base}/api/openapi.json`)).json()) as {
          openapi: string
          paths: Record<string, Record<string, { 'x-access': string }>>
        }
        expect(description.openapi).toBe('3.1.0')
        const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods))
        expect(operations).toHaveLength(ROUTES.length)
        const known = [...Object.keys(POLICY), 'anyone', 'signed-in']
        expect(operations.filter((operation) => !known.includes(operation['x-access']))).toEqual([])
        expect(Object.keys(POLICY).filter((action) => !operations.some((one) => one['x-access'] === action))).toEqual(
          [],
        )
        for (const route of ROUTES)
          expect(Visitor.code(await call(world.visitor(), acme, route))).not.toBe('unknown_url')
      })
    })

    describe('bad input', () => {
      const long = 'x'.repeat(129)
      const wrong: [method: string, path: string, body: unknown][] = [
        ['POST', '/keys', { name: long }],
        ['POST', '/keys', { name: 'k', createdBy: 'somebody else' }],
        ['POST', '/keys', { name: 'k', organization: 'other' }],
        ['POST', '/keys', { name: 'k', limits: { requestsPerMinute: 0 } }],
        ['POST', '/keys', { name: 'k', limits: { requestsPerMinute: 1.5 } }],
        ['POST', '/keys', { name: 'k', limits: { tokensPerDay: 5 } }],
        ['POST', '/keys', { name: 'k', expiresAt: '2020-01-01T00:00:00Z' }],
        ['POST', '/keys', { name: 'k', expiresAt: 'tomorrow' }],
        ['POST', '/keys', { name: 'k', models: [] }],
        ['POST', '/keys', { name: '\u202Ek' }],
        ['POST', '/keys', { name: ' ' }],
        ['POST', '/keys', []],
        ['POST', '/keys', null],
        ['POST', '/keys', '{'],
        ['PUT', '/models', { name: 'a\u0000b', state: 'enabled' }],
        ['PUT', '/models', { name: 'x'.repeat(257), state: 'enabled' }],
        ['PUT', '/models', { name: 'm', state: 'removed' }],
        ['PUT', '/models', { name: 'm', state: 'enabled', createdAt: 0 }],
        ['PATCH', '', { name: long }],
        ['PATCH', '', { name: 'Acme', id: 'x' }],
        ['POST', '/invitations', { role: 'king' }],
        ['POST', '/invitations', { role: 'member', email: 'nobody' }],
        ['PATCH', '/devices/x', { name: 'd', organization: 'other' }],
        ['GET', '/usage?from=2026-01-01T00:00:00Z&to=2027-11-01T00:00:00Z', undefined],
        ['GET', '/usage?from=yesterday&to=today', undefined],
        ['GET', '/audit?limit=100000', undefined],
        ['GET', '/audit?before=-1', undefined],
      ]

      it.each(wrong)('[M11] is refused and changes nothing: %s %s %j', async (method, path, body) => {
        const before = (await world.store.listAudit({ organization: acme, limit: 1 }))[0]?.id
        const answer = await people.owner.send(method, at(acme, path), body)
        expect(answer.status).toBe(400)
        expect(Object.keys((answer.body as { error: object }).error).toSorted()).toEqual([
          'code',
          'message',
          'param',
          'type',
        ])
        expect((await world.store.listAudit({ organization: acme, limit: 1 }))[0]?.id).toBe(before)
      })

      it('[M11] is refused when it is too large', async () => {
        const answer = await people.owner.send('POST', at(acme, '/keys'), { name: 'x'.repeat(70_000) })
        expect(Visitor.code(answer)).toBe('request_too_large')
      })

      it('[M13] is answered in the one shape, whatever the path', async () => {
        for (const path of [
          '/api',
          '/api/v1/nothing',
          '/api/auth/organization/list',
          '/%ff',
          '/..%2f..%2fetc',
          '//x',
        ]) {
          const response = await fetch(`${world.base}${path}`)
          expect([path, response.status, await response.json()]).toMatchObject([path, 404, { error: { param: null } }])
          expect(response.headers.get('x-request-id')).toMatch(/^req_/)
        }
      })
    })

    describe('members', () => {
      it('[M17] give and take no role above their own', async () => {
        const [owner, member] = [await personOf(people.owner), await personOf(people.member)]
        const refused = await Promise.all([
          people.admin.send('PATCH', at(acme, `/members/${member}`), { role: 'owner' }),
          people.admin.send('PATCH', at(acme, `/members/${owner}`), { role: 'member' }),
          people.admin.send('DELETE', at(acme, `/members/${owner}`)),
          people.admin.post(at(acme, '/invitations'), { role: 'owner' }),
          people.admin.send('PATCH', at(acme, `/members/${await personOf(people.admin)}`), { role: 'owner' }),
          people.member.send('PATCH', at(acme, `/members/${member}`), { role: 'admin' }),
        ])
        expect(codes(refused)).toEqual(Array.from({ length: 6 }, () => 'not_permitted'))
        const { entries } = (
          await people.owner.get<{ entries: { isRefused: boolean; action: string }[] }>(at(acme, '/audit?limit=6'))
        ).body
        expect(entries.every(({ isRefused }) => isRefused)).toBe(true)
        expect(await listRoles()).toMatchObject({ 'olga@acme.test': 'owner', 'mia@acme.test': 'member' })
      })

      it('[M18] keep their last owner', async () => {
        const owner = await personOf(people.owner)
        const refused = [
          await people.owner.post(at(acme, '/leave')),
          await people.owner.send('PATCH', at(acme, `/members/${owner}`), { role: 'admin' }),
          await people.owner.send('DELETE', at(acme, `/members/${owner}`)),
        ]
        expect(codes(refused)).toEqual(['last_owner', 'last_owner', 'last_owner'])
      })

      it('[M19] lose their keys when they leave', async () => {
        const person = await world.join(acme, `${randomUUID()}@acme.test`, 'member')
        const { secret } = await makeKey(person)
        expect((await useKey(secret)).status).toBe(200)
        expect((await person.post(at(acme, '/leave'))).status).toBe(204)
        expect((await useKey(secret)).status).toBe(401)
        expect((await person.get(at(acme, '/models'))).status).toBe(404)
        expect((await person.get('/me')).body).toMatchObject({ organizations: [], activeOrganization: null })
      })

      it('[M15] join by a link that works once and can be taken back', async () => {
        const { link, invitation } = (
          await people.admin.post<{ link: string; invitation: { id: string } }>(at(acme, '/invitations'), {
            role: 'member',
          })
        ).body
        const token = link.split('#')[1]!
        expect((await world.visitor().post('/invitations/look-up', { token })).body).toMatchObject({
          organization: 'Acme',
          role: 'member',
        })
        expect((await people.admin.send('DELETE', at(acme, `/invitations/${invitation.id}`))).status).toBe(204)
        const person = { name: 'N', email: `${randomUUID()}@n.test`, password: PASSWORD }
        expect(Visitor.code(await world.visitor().post('/invitations/accept', { token, person }))).toBe('invalid_link')
        expect(Visitor.code(await world.visitor().post('/invitations/look-up', { token }))).toBe('invalid_link')
      })

      it('[M15] may be in two organizations, with one sign-in', async () => {
        const { key: token, digest } = createInvitationToken()
        const expiresAt = new Date(Date.now() + 60_000)
        await world.store.createInvitation({ organization: other, role: 'member', digest, expiresAt })
        const person = await world.join(acme, `${randomUUID()}@acme.test`, 'member')
        expect((await person.post('/invitations/accept', { token })).body).toEqual({ organization: other })
        expect((await person.send('PUT', '/me/active-organization', { organization: other })).status).toBe(204)
        expect((await person.get('/me')).body).toMatchObject({ activeOrganization: other })
        const nowhere = await person.send('PUT', '/me/active-organization', { organization: 'nowhere' })
        expect(Visitor.code(nowhere)).toBe('not_found')
      })

      it('[M16] sign in before they accept under an address that exists', async () => {
        const { key: token, digest } = createInvitationToken()
        const expiresAt = new Date(Date.now() + 60_000)
        await world.store.createInvitation({ organization: other, role: 'admin', digest, expiresAt })
        const person = { name: 'Mia', email: 'mia@acme.test', password: 'a password of mine' }
        expect(Visitor.code(await world.visitor().post('/invitations/accept', { token, person }))).toBe('conflict')
        expect(Visitor.code(await world.visitor().post('/invitations/accept', { token }))).toBe('not_signed_in')
      })

      it('[M39] may make organizations where the gateway allows it', async () => {
        const created = await people.member.post('/organizations', { name: 'Mine' })
        expect(created.body).toMatchObject({ name: 'Mine', role: 'owner' })
        const own = at(created.body['id'] as string)
        expect((await people.member.send('PATCH', own, { name: 'Still mine' })).status).toBe(204)
        expect((await people.member.get(`${own}/overview`)).body).toMatchObject({
          devices: { total: 0 },
          missing: ['device', 'model', 'key'],
        })
      })

      async function listRoles(): Promise<Record<string, Role>> {
        const members = await world.store.listMembers(acme)
        return Object.fromEntries(members.map(({ email, role }) => [email, role]))
      }
    })

    describe('keys', () => {
      it('[M20] are shown once, and to their maker or an admin only', async () => {
        const { key, secret } = await makeKey(people.member, { name: 'mine' })
        const list = async (visitor: Visitor) =>
          (await visitor.get<{ keys: { id: string; isYours: boolean }[] }>(at(acme, '/keys'))).body
        const [own, all] = [await list(people.member), await list(people.admin)]
        expect(own.keys.every(({ isYours }) => isYours)).toBe(true)
        expect(all.keys.find(({ id }) => id === key.id)).toMatchObject({ hint: secret.slice(-4), isYours: false })
        expect(JSON.stringify([own, all])).not.toContain(secret)
        const { key: foreign } = await makeKey(people.owner)
        expect((await people.member.send('DELETE', at(acme, `/keys/${foreign.id}`))).status).toBe(404)
        expect((await people.admin.send('DELETE', at(acme, `/keys/${key.id}`))).status).toBe(204)
        expect((await useKey(secret)).status).toBe(401)
      })

      it('[M21] may be made for some models only', async () => {
        for (const model of ['yes/one:7b', 'no'])
          await people.admin.send('PUT', at(acme, '/models'), { name: model, state: 'enabled' })
        const { secret } = await makeKey(people.member, { models: ['yes/one:7b'] })
        const listed = (await (await useKey(secret)).json()) as { data: { id: string }[] }
        expect(listed.data.map(({ id }) => id)).toEqual(['yes/one:7b'])
        expect((await useKey(secret, '/models/no')).status).toBe(404)
        const chat = await fetch(`${world.base}/openai/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'no', messages: [{ role: 'user', content: 'hi' }] }),
        })
        expect([chat.status, await chat.json()]).toMatchObject([404, { error: { code: 'model_not_found' } }])
      })

      it('[M23] of the playground are not listed, and belong to the person who plays', async () => {
        const { secret, expiresAt } = (
          await people.member.post<{ secret: string; expiresAt: string }>(at(acme, '/playground-key'))
        ).body
        expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
        const { keys } = (await people.owner.get<{ keys: { hint: string }[] }>(at(acme, '/keys'))).body
        expect(keys.some(({ hint }) => secret.endsWith(hint))).toBe(false)
        expect((await useKey(secret)).status).toBe(200)
      })
    })

    describe('models', () => {
      it('[M43] are enabled under any name, labelled, disabled and removed', async () => {
        const show = async () => {
          const { models } = (await people.member.get<{ models: { name: string }[] }>(at(acme, '/models'))).body
          return models.find((model) => model.name === 'typed/by-hand')
        }
        const put = (body: object) => people.admin.send('PUT', at(acme, '/models'), { name: 'typed/by-hand', ...body })
        await put({ state: 'enabled', ownedBy: 'research' })
        expect(await show()).toMatchObject({ state: 'enabled', ownedBy: 'research', devices: [], contextLength: null })
        await put({ state: 'disabled' })
        expect(await show()).toMatchObject({ state: 'disabled', ownedBy: 'research' })
        const remove = () => people.admin.send('DELETE', at(acme, '/models?name=typed%2Fby-hand'))
        expect([(await remove()).status, (await remove()).status]).toEqual([204, 404])
        expect(await show()).toBeUndefined()
        expect(Visitor.code(await put({ state: 'disabled' }))).toBe('not_found')
      })
    })

    describe('devices', () => {
      it('[M29] join by tokens that an admin makes and may take back', async () => {
        const made = await people.admin.post<{ enrolment: { id: string }; token: string; command: string }>(
          at(acme, '/enrolments'),
        )
        const { token, command, enrolment } = made.body
        expect(command).toBe(
          `npm exec --yes --package=${world.base}/device/v1/installer.tgz -- hearth-device-install ${world.base} --token ${token}`,
        )
        expect((await people.admin.get(at(acme, '/enrolments'))).body).toMatchObject({
          enrolments: [{ id: enrolment.id, createdBy: 'adam' }],
        })
        expect((await people.admin.send('DELETE', at(acme, `/enrolments/${enrolment.id}`))).status).toBe(204)
        expect((await device('enrol', { token, name: 'd' })).status).toBe(401)
      })

      it('[M26] join by a code that a person reads off them and approves', async () => {
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
        expect((await people.admin.post(at(acme, '/device-codes/look-up'), { userCode })).body).toMatchObject({
          name: 'studio',
          app: '0.1.0',
          system: 'linux x64',
          address: expect.stringMatching(/^10\./),
        })
        const approved = await people.admin.post(at(acme, '/device-codes/approve'), { userCode, name: 'Studio' })
        expect(approved.status).toBe(204)
        const joined = await device('token', { device_code })
        expect(joined).toMatchObject({ status: 200, body: { organization: acme, credential: expect.any(String) } })
        expect(Visitor.code(await device('token', { device_code }))).toBe('expired_token')
        const { devices } = (await people.member.get<{ devices: object[] }>(at(acme, '/devices'))).body
        expect(devices).toContainEqual(expect.objectContaining({ name: 'Studio', state: 'offline', isPaused: false }))
      })

      it('[M27] are turned away when a code was guessed at, and the guesser is slowed down', async () => {
        const asked = await device('authorize', { name: 'd', app: '', system: '' })
        const { device_code, user_code } = asked.body as Record<string, string>
        const guesser = await world.join(acme, `${randomUUID()}@acme.test`, 'admin')
        const guess = `${user_code!.slice(0, 5)}${user_code!.endsWith('B') ? 'CCCC' : 'BBBB'}`
        const answers = []
        for (let count = 0; count < 11; count++)
          answers.push(await guesser.post(at(acme, '/device-codes/look-up'), { userCode: guess }))
        expect(codes(answers)).toEqual([...Array.from({ length: 10 }, () => 'not_found'), 'rate_limit_exceeded'])
        const right = await people.admin.post(at(acme, '/device-codes/approve'), { userCode: user_code })
        expect(Visitor.code(right)).toBe('not_found')
        expect(Visitor.code(await device('token', { device_code }))).toBe('access_denied')
      })

      it('[M26] are turned away when a person denies them, and without a code of their own', async () => {
        const asked = await device('authorize', { name: 'd' })
        const { device_code, user_code } = asked.body as Record<string, string>
        await people.admin.post(at(acme, '/device-codes/deny'), { userCode: user_code })
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

    describe('the audit log', () => {
      it('[M35] names the person, pages backwards, and holds no secret', async () => {
        const { secret, key } = await makeKey(people.admin, { name: 'audited' })
        await people.admin.send('DELETE', at(acme, `/keys/${key.id}`))
        const page = async (query: string) =>
          (
            await people.owner.get<{ entries: { action: string; actor: object }[]; next: string | null }>(
              at(acme, `/audit${query}`),
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
        expect(whole).not.toMatch(/sk-hearth-|digest|password/i)
      })
    })

    describe('live updates', () => {
      it('[M38] name what has changed in this organization, and end with the membership', async () => {
        const person = await world.join(acme, `${randomUUID()}@acme.test`, 'member')
        const response = await fetch(`${world.base}/api/v1${at(acme, '/events')}`, {
          headers: { cookie: person.cookie },
        })
        const text = response.body!.pipeThrough(new TextDecoderStream()).getReader()
        expect((await text.read()).value).toContain('listening')
        await stranger.send('PUT', at(other, '/models'), { name: 'theirs', state: 'enabled' })
        await people.admin.send('PATCH', at(acme, `/devices/${(await world.enrolDevice(acme, 'd')).device}`), {
          name: 'e',
        })
        let heard = ''
        while (!heard.includes('data: devices')) heard += (await text.read()).value
        expect(heard).not.toContain('data: models')
        await people.admin.send('DELETE', at(acme, `/members/${await personOf(person)}`))
        while (!(await text.read()).done);
        expect((await person.get(at(acme, '/events'))).status).toBe(404)
      })
    })
  })
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** The code an authenticator app would show (RFC 6238). */
async function totp(uri: string): Promise<string> {
  const { createHmac } = await import('node:crypto')
  const secret = new URL(uri).searchParams.get('secret')!
  const bits = secret.split('').map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes = bits
    .join('')
    .match(/.{8}/g)!
    .map((byte) => Number.parseInt(byte, 2))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const offset = digest.at(-1)! & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
