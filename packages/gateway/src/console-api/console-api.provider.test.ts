import { createSign, generateKeyPairSync, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openConsoleWorld, type ConsoleWorld } from '../testing/console-world.ts'
import { StandInProvider, type Claims } from '../testing/stand-in-provider.ts'
import { usePostgres } from '../testing/use-postgres.ts'
import { Visitor } from '../testing/visitor.ts'

const PUBLIC_URL = 'https://hearth.test'

const postgres = usePostgres()
let url: string
let provider: StandInProvider
let world: ConsoleWorld
let organization: string

beforeAll(async () => {
  url = await postgres.createDatabase()
  provider = await StandInProvider.start()
  world = await openWorld()
  organization = (await world.store.createOrganization({ name: 'Acme' })).id
})
afterAll(async () => {
  await world.close()
  await provider[Symbol.asyncDispose]()
})
beforeEach(() => {
  provider.lies = {}
  provider.forge = undefined
  provider.metadata = {}
})

const FOREIGN = generateKeyPairSync('rsa', { modulusLength: 2048 })
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** With a key that is not the provider's. */
function signedElsewhere(header: object, claims: object): string {
  const content = `${encode({ alg: 'RS256', kid: '1', typ: 'JWT', ...header })}.${encode(claims)}`
  return `${content}.${createSign('sha256').update(content).sign(FOREIGN.privateKey, 'base64url')}`
}

const from = { origin: PUBLIC_URL }

function openWorld(settings: Record<string, string> = {}): Promise<ConsoleWorld> {
  return openConsoleWorld(url, {
    PUBLIC_URL,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Acme login',
    ...settings,
  })
}

function claims(more: Partial<Claims> = {}): Claims {
  return { sub: randomUUID(), email: `${randomUUID()}@acme.test`, email_verified: true, name: 'Ada', ...more }
}

async function inviteTo(email: string): Promise<void> {
  const expiresAt = new Date(Date.now() + 60_000)
  await world.store.createInvitation({ organization, role: 'member', digest: randomUUID(), expiresAt, email })
}

async function begin(visitor: Visitor): Promise<string> {
  return (await visitor.send<{ url: string }>('POST', '/sign-in/provider', undefined, from)).body.url
}

async function comeBack(visitor: Visitor, query: string): Promise<{ status: number; location: string | null }> {
  const response = await visitor.fetch(`/api/auth/callback/oidc${query}`)
  return { status: response.status, location: response.headers.get('location') }
}

/** A new visitor who signs in at the provider as this person. */
async function signInAs(person: Claims, gateway = world): Promise<Visitor> {
  const visitor = gateway.visitor()
  await comeBack(visitor, provider.approve(await begin(visitor), person))
  return visitor
}

async function isSignedIn(visitor: Visitor): Promise<boolean> {
  return (await visitor.get('/me')).status === 200
}

describe('an external provider', () => {
  it('is offered on the sign-in page, and asked with PKCE, state and nonce', async () => {
    expect((await world.visitor().get('/sign-in')).body).toMatchObject({ provider: { name: 'Acme login' } })
    const asked = new URL(await begin(world.visitor()))
    expect(asked.origin).toBe(provider.issuer)
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: provider.clientId,
      response_type: 'code',
      redirect_uri: `${PUBLIC_URL}/api/auth/callback/oidc`,
      code_challenge_method: 'S256',
      state: expect.any(String),
      nonce: expect.any(String),
    })
  })

  it('[P2] signs in someone with an invitation, who is not a member yet, and leaves no tokens in the database', async () => {
    const person = claims({ name: 'A\u202Eda\u001B' })
    await inviteTo(person.email)
    const visitor = world.visitor()
    const answer = await comeBack(visitor, provider.approve(await begin(visitor), person))
    expect(answer).toEqual({ status: 302, location: expect.stringMatching(/\/$/) })
    expect((await visitor.get('/me')).body).toMatchObject({
      person: { email: person.email, name: 'Ada', hasPassword: false },
      organizations: [],
    })
    expect(await isSignedIn(await signInAs(person))).toBe(true)
    const tables = (await world.store.accountTables())({ user: { modelName: 'person' } })
    const where = [{ field: 'accountId', value: person.sub }]
    const accounts = await tables.findMany<object>({ model: 'account', where })
    expect(accounts).toEqual([expect.objectContaining({ accessToken: null, refreshToken: null, idToken: null })])
  })

  it('does not sign in someone without an invitation', async () => {
    const visitor = world.visitor()
    const answer = await comeBack(visitor, provider.approve(await begin(visitor), claims()))
    expect(answer.location).toMatch(/^\/sign-in\?error=/)
    expect(await isSignedIn(visitor)).toBe(false)
  })

  it('signs in everyone it knows if OIDC_NEW_PEOPLE is true', async () => {
    const open = await openWorld({ OIDC_NEW_PEOPLE: 'true' })
    expect(await isSignedIn(await signInAs(claims(), open))).toBe(true)
    await open.close()
  })

  it('does not take over an account that signs in another way', async () => {
    await world.join(organization, 'victim@acme.test', 'member')
    await inviteTo('victim@acme.test')
    expect(await isSignedIn(await signInAs(claims({ email: 'victim@acme.test' })))).toBe(false)
  })

  it.each([
    ['another issuer', { iss: 'https://evil.test' }],
    ['another audience', { aud: 'another-client' }],
    ['another nonce', { nonce: 'replayed' }],
    ['a past expiry', { exp: 1 }],
  ])('is not trusted when its token has %s', async (_, lies) => {
    const person = claims()
    await inviteTo(person.email)
    const visitor = world.visitor()
    const query = provider.approve(await begin(visitor), person)
    provider.lies = lies
    await comeBack(visitor, query)
    expect(await isSignedIn(visitor)).toBe(false)
  })

  it.each([
    ['no signature', (claims: object) => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(claims)}.`],
    ['a signature of another key', (claims: object) => signedElsewhere({}, claims)],
    [
      'a key that it brings along',
      (claims: object) => signedElsewhere({ jwk: FOREIGN.publicKey.export({ format: 'jwk' }) }, claims),
    ],
  ])('is not trusted when its token carries %s', async (_, forge) => {
    const person = claims()
    await inviteTo(person.email)
    provider.forge = forge
    expect(await isSignedIn(await signInAs(person))).toBe(false)
    provider.forge = undefined
    expect(await isSignedIn(await signInAs(person))).toBe(true)
  })

  it('is not trusted when its metadata names another issuer', async () => {
    provider.metadata = { issuer: 'https://other.test' }
    const fooled = await openWorld()
    const person = claims()
    await inviteTo(person.email)
    provider.lies = { iss: 'https://other.test' }
    expect(await isSignedIn(await signInAs(person, fooled))).toBe(false)
    await fooled.close()
  })

  it('signs in only the browser that started the sign-in', async () => {
    const person = claims()
    await inviteTo(person.email)
    const [victim, attacker] = [world.visitor(), world.visitor()]
    const query = provider.approve(await begin(attacker), person)
    await comeBack(victim, query)
    expect(await isSignedIn(victim)).toBe(false)
    await comeBack(victim, '?code=made-up&state=made-up')
    expect(await isSignedIn(victim)).toBe(false)
  })
})

it('a gateway with default settings lets nobody create organizations', async () => {
  const person = await world.join(organization, `${randomUUID()}@acme.test`, 'owner')
  const denied = await person.send('POST', '/organizations', { name: 'Mine' }, from)
  expect(Visitor.code(denied)).toBe('not_permitted')
})

describe('a gateway behind https', () => {
  it('sets a cookie that only this host gets, and only over HTTPS', async () => {
    await world.join(organization, 'ada@acme.test', 'member')
    const body = { email: 'ada@acme.test', password: 'correct horse battery' }
    const { headers } = await world.visitor().send('POST', '/sign-in', body, from)
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-hearth-session=.*Path=\/; HttpOnly; Secure; SameSite=Strict$/),
    ])
  })

  it('sets such cookies also half way to a session', async () => {
    const asked = [
      await world.visitor().send('POST', '/sign-in/provider', undefined, from),
      await world.visitor().fetch('/api/auth/passkey/generate-authenticate-options'),
    ]
    for (const { headers } of asked) {
      const cookies = headers.getSetCookie()
      expect(cookies).not.toEqual([])
      for (const cookie of cookies)
        expect(cookie).toMatch(/^__Host-hearth[^;]*; (Max-Age=\d+; )?Path=\/; HttpOnly; Secure;/)
    }
  })

  it('accepts requests from its own address only', async () => {
    const answer = await world.visitor().send('POST', '/sign-in', { email: 'a', password: 'b' }, { origin: world.base })
    expect(Visitor.code(answer)).toBe('wrong_origin')
  })

  it('offers passkeys for its own host name', async () => {
    expect((await world.visitor().get('/sign-in')).body).toMatchObject({ hasPasskeys: true })
    const response = await world.visitor().fetch('/api/auth/passkey/generate-authenticate-options')
    expect(await response.json()).toMatchObject({ rpId: 'hearth.test', challenge: expect.any(String) })
    const closed = await world.visitor().fetch('/api/auth/passkey/generate-register-options')
    expect(closed.status).toBe(401)
    expect(await closed.json()).toMatchObject({ error: { code: 'wrong_sign_in' } })
  })
})
