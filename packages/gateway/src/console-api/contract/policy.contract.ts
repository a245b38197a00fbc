// Every role on every route, generated from the policy table, and invalid input.

import { beforeAll, describe, expect, it } from 'vitest'
import { createEnrolmentToken, createInvitationToken, createKey } from '../../access/secrets/secrets.ts'
import { POLICY, type Action } from '../../access/policy.ts'
import type { Role } from '../../store/tables/people.ts'
import { acme, inAcme, other, people, stranger, world } from '../../testing/console-fixture.ts'
import { Visitor, type Answer } from '../../testing/visitor.ts'
import { ROUTES } from '../document.ts'
import { ACCESS_FIELD, type ConsoleRoute } from '../routes/route.ts'

const ROLES: readonly Role[] = ['owner', 'admin', 'member']

/** Requests that would succeed with an id of their own organization. */
const VALID: Record<string, { body?: object; query?: string }> = {
  changeDevice: { body: { name: 'taken over', isPaused: true } },
  changeKey: { body: { name: 'taken over' } },
  changeMember: { body: { role: 'admin' } },
  rotateKey: { body: {} },
  lookUpModel: { body: { source: 'qwen3:8b' } },
  startDownload: { body: { source: 'qwen3:8b', name: 'qwen3:8b' } },
  pauseDownload: { body: { model: 'shared' } },
  unblockRequests: { body: { model: 'shared' } },
  serveLocalServer: { body: { server: 'http://127.0.0.1:11434' } },
  cancelDownload: { query: '?model=shared' },
  deleteModel: { query: '?model=shared' },
}

describe('the policy', () => {
  const guarded = ROUTES.filter((route) => Object.hasOwn(POLICY, route[ACCESS_FIELD]))

  function call(visitor: Visitor, organization: string, { method, path }: ConsoleRoute): Promise<Answer> {
    const url = path
      .replace('{organization}', organization)
      .replaceAll(/\{\w+\}/g, '00000000-0000-0000-0000-000000000000')
    // The body fits no schema, so an allowed caller gets a 400 or 404 and nothing changes. An event stream would never end.
    const isStream = path.endsWith('/events')
    return visitor.send(isStream ? 'HEAD' : method.toUpperCase(), url, method === 'get' ? undefined : '[]')
  }

  it.each(ROLES.flatMap((role) => guarded.map((route) => [role, route.operationId, route] as const)))(
    'lets the role %s do what the table says: %s',
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
    'hides another organization from %s, whether or not it exists',
    async (_, route) => {
      const [foreign, none] = [await call(stranger, acme, route), await call(stranger, 'nowhere', route)]
      if (route.path.endsWith('/events')) return expect([foreign.status, none.status]).toEqual([404, 404])
      expect([foreign.status, foreign.body]).toEqual([404, none.body])
    },
  )

  it.each(['/organizations/%00/keys', '/organizations/%00/usage', '{acme}/devices/%00', '{acme}/keys/%00'])(
    'finds nothing at %s',
    async (path) => {
      const url = path.replace('{acme}', inAcme())
      const answer = await people.owner.send(path.startsWith('{') ? 'DELETE' : 'GET', url)
      expect([answer.status, Visitor.code(answer)]).toEqual([404, 'not_found'])
    },
  )

  it('covers every route, and every route is described and served, but for those with a session only', async () => {
    const description = (await (await fetch(`${world.base}/api/openapi.json`)).json()) as {
      openapi: string
      paths: Record<string, Record<string, { 'x-access': string }>>
    }
    expect(description.openapi).toBe('3.1.0')
    const operations = Object.values(description.paths).flatMap((methods) => Object.values(methods))
    expect(operations).toHaveLength(ROUTES.length)
    const known = [...Object.keys(POLICY), 'anyone', 'signed-in']
    expect(operations.filter((operation) => !known.includes(operation['x-access']))).toEqual([])
    expect(Object.keys(POLICY).filter((action) => !operations.some((one) => one['x-access'] === action))).toEqual([])
    for (const route of ROUTES) {
      const { status, ...answer } = await call(world.visitor(), acme, route)
      expect([route.operationId, status === 401]).toEqual([route.operationId, route[ACCESS_FIELD] !== 'anyone'])
      expect(Visitor.code({ status, ...answer })).not.toBe('unknown_url')
    }
  })
})

describe('ids of another organization', () => {
  const named = ROUTES.filter(({ path }) => /\{organization\}.*\{/.test(path))
  /** By the name of the path parameter. */
  let ids: Record<string, string>

  beforeAll(async () => {
    const organization = other
    const { store } = world
    const [{ person } = { person: '' }] = await store.listMembers(organization)
    const expiresAt = new Date(Date.now() + 600_000)
    const { digest, hint } = createKey()
    const key = await store.createKey({ organization, createdBy: person, name: 'k', digest, hint })
    const token = createEnrolmentToken().digest
    const enrolment = await store.createEnrolment({ organization, digest: token, expiresAt })
    const link = { role: 'member' as const, digest: createInvitationToken().digest, expiresAt }
    const invitation = await store.createInvitation({ organization, ...link })
    const { device } = await world.enrolDevice(organization, 'theirs')
    ids = { device, key: key.id, person, enrolment: enrolment.id, invitation: invitation.id }
  })

  it.each(named.map((route) => [route.operationId, route] as const))(
    'reach nothing of it, not even for an owner: %s',
    async (operation, { method, path }) => {
      const { store } = world
      const audit = () => store.listAudit({ organization: other, limit: 200 })
      const before = await audit()
      const { body, query = '' } = VALID[operation] ?? {}
      const url = path.replace('{organization}', acme).replace(/\{(\w+)\}/, (_, name: string) => ids[name]!)
      const answer = await people.owner.send(method.toUpperCase(), url + query, body)
      expect([answer.status, Visitor.code(answer)]).toEqual([404, 'not_found'])
      expect(await audit()).toEqual(before)
    },
  )
})

describe('bad input', () => {
  const long = 'x'.repeat(129)
  const wrong: [method: string, path: string, body: unknown][] = [
    ['POST', '/keys', { name: long }],
    ['POST', '/keys', { name: 'k', createdBy: 'someone else' }],
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
    ['PATCH', '/sealing', { mode: 'maybe' }],
    ['PATCH', '/sealing', { seal: 'x'.repeat(257) }],
    ['PATCH', '/sealing', { mode: 'off', devices: [] }],
    ['POST', '/invitations', { role: 'king' }],
    ['POST', '/invitations', { role: 'member', email: 'nobody' }],
    ['PATCH', '/devices/x', { name: 'd', organization: 'other' }],
    ['GET', '/usage?from=2026-01-01T00:00:00Z&to=2027-11-01T00:00:00Z', undefined],
    ['GET', '/usage?from=yesterday&to=today', undefined],
    ['GET', '/audit?limit=100000', undefined],
    ['GET', '/keys?limit=201', undefined],
    ['GET', '/requests?limit=1001', undefined],
    ['GET', '/invitations?limit=1000', undefined],
    ['GET', '/audit?before=-1', undefined],
  ]

  it.each(wrong)('is rejected and changes nothing: %s %s %j', async (method, path, body) => {
    const before = (await world.store.listAudit({ organization: acme, limit: 1 }))[0]?.id
    const answer = await people.owner.send(method, inAcme(path), body)
    expect(answer.status).toBe(400)
    expect(Object.keys((answer.body as { error: object }).error).toSorted()).toEqual([
      'code',
      'message',
      'param',
      'type',
    ])
    expect((await world.store.listAudit({ organization: acme, limit: 1 }))[0]?.id).toBe(before)
  })

  it('is rejected when it is too large', async () => {
    const answer = await people.owner.send('POST', inAcme('/keys'), { name: 'x'.repeat(70_000) })
    expect(Visitor.code(answer)).toBe('request_too_large')
  })

  it('gets the usual error format, whatever the path', async () => {
    for (const path of ['/api', '/api/v1/nothing', '/api/auth/organization/list', '/%ff', '/..%2f..%2fetc', '//x']) {
      const response = await fetch(`${world.base}${path}`)
      expect([path, response.status, await response.json()]).toMatchObject([path, 404, { error: { param: null } }])
      expect(response.headers.get('x-request-id')).toMatch(/^req_/)
    }
  })
})
