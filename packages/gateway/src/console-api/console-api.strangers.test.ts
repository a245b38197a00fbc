// How often someone who is not signed in can make the gateway ask its store.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createDeviceCode,
  createEnrolmentToken,
  createInvitationToken,
  createSetUpToken,
} from '../access/secrets/secrets.ts'
import { readConfig } from '../config.ts'
import { startGateway, type Gateway } from '../gateway.ts'
import { createLog } from '../observe/log.ts'
import { openStore } from '../store/open-store.ts'
import type { AccountTables } from '../store/people/accounts.ts'
import type { Store } from '../store/store.ts'
import '../testing/quick-passwords.ts'
import { usePostgres } from '../testing/use-postgres.ts'
import { ADDRESS_HEADER, Visitor } from '../testing/visitor.ts'
import { ROUTES } from './document.ts'
import { ACCESS_FIELD } from './routes/route.ts'

/** The gateway reads access, compares clocks and removes what is old all the time, independent of any request. */
const OWN_READS =
  /^(revisions|changed|accountTables|close|time|removePlaygroundKeys|sweepOrganizations|tableSizes|foldUsage|pruneAudit|readSpending)/
const TIMES = 60

const postgres = usePostgres()
let store: Store
let gateway: Gateway
let asked: string[] = []

beforeAll(async () => {
  store = await openStore(await postgres.createDatabase())
  const owner = { email: 'olga@acme.test', name: 'Olga' }
  await store.createOrganization({ name: 'Acme', owner })
  const settings = { PORT: '0', CLIENT_ADDRESS_HEADER: ADDRESS_HEADER, USAGE_FLUSH_MS: '86400000' }
  gateway = await startGateway(readConfig(settings), watch(store), createLog('silent'))
})
afterAll(async () => {
  await gateway.close()
  await store.close()
})

/** The same store, which writes down every question. */
function watch(real: Store): Store {
  return { ...watchMethods(real), accountTables: async () => watchTables(await real.accountTables()) }
}

function watchTables(tables: AccountTables): AccountTables {
  return (options) => watchMethods(tables(options))
}

function watchMethods<Methods extends object>(methods: Methods): Methods {
  const watched = Object.entries(methods).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function' || OWN_READS.test(name)) return [name, member]
    return [name, (...input: unknown[]) => (asked.push(name), Reflect.apply(member, undefined, input) as unknown)]
  })
  return Object.fromEntries(watched) as Methods
}

/** Each flood comes from a network of its own. */
let floods = 0

interface Flood {
  questions: string[]
  /** How many attempts a limit of so many a minute allowed in this time. */
  allowed: (perMinute: number) => number
}

async function flood(method: string, path: string, body: (() => object) | undefined, times = TIMES): Promise<Flood> {
  asked = []
  const startedAt = performance.now()
  const headers = {
    [ADDRESS_HEADER]: `10.0.${++floods}.1`,
    cookie: 'hearth-session=bWFkZS11cA.bWFkZS11cA%3D%3D',
    ...(body && { 'content-type': 'application/json' }),
  }
  const ask = async () => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body()) }) }
    await (await fetch(`http://127.0.0.1:${gateway.port}${path}`, init)).arrayBuffer()
  }
  for (let sent = 0; sent < times; sent += 20) await Promise.all(Array.from({ length: Math.min(20, times) }, ask))
  const minutes = (performance.now() - startedAt) / 60_000
  return { questions: asked, allowed: (perMinute) => Math.ceil(perMinute * (1 + minutes)) }
}

const PASSWORD = 'correct horse battery'
const BODIES: Record<string, () => object> = {
  signIn: () => ({ email: 'olga@acme.test', password: PASSWORD }),
  signInSecondFactor: () => ({ code: '123456' }),
  signInProvider: () => ({}),
  signOut: () => ({}),
  setUp: () => ({
    token: createSetUpToken().key,
    organization: 'X',
    name: 'X',
    email: 'x@acme.test',
    password: PASSWORD,
  }),
  lookUpInvitation: () => ({ token: createInvitationToken().key }),
  acceptInvitation: () => ({ token: createInvitationToken().key }),
}

describe('strangers', () => {
  const open = ROUTES.filter((route) => route[ACCESS_FIELD] === 'anyone')
  const closed = ROUTES.filter((route) => route[ACCESS_FIELD] !== 'anyone')

  it.each(closed.map((route) => [route.operationId, route] as const))(
    'do not reach the store through %s',
    async (_name, { method, path }) => {
      const body = method === 'get' || method === 'delete' ? undefined : () => ({})
      const { questions } = await flood(method.toUpperCase(), `/api/v1${path.replaceAll(/[{}]/g, '')}`, body, 2)
      expect(questions).toEqual([])
    },
  )

  it.each(open.map((route) => [route.operationId, route] as const))(
    'reach the store a few times through %s',
    async (name, { method, path }) => {
      const { questions, allowed } = await flood(method.toUpperCase(), `/api/v1${path}`, BODIES[name ?? ''])
      // An attempt may take a few steps.
      const most = name === 'signOut' ? 0 : name === 'readSignInOptions' ? allowed(60) - 58 : allowed(20) * 3
      expect(questions.length, questions.slice(0, 10).join()).toBeLessThanOrEqual(most)
    },
  )

  it('do not become the first owner with a password that is easy to guess', async () => {
    const { key: token, digest } = createSetUpToken()
    await store.createSetUpLink({ digest, expiresAt: new Date(Date.now() + 600_000) })
    const person = { name: 'Mia', email: 'mia@acme.test', password: 'p4ssw0rd2026' }
    const visitor = new Visitor(`http://127.0.0.1:${gateway.port}`)
    const answer = await visitor.post('/set-up', { token, organization: 'X', ...person })
    expect([answer.status, Visitor.code(answer)]).toEqual([400, 'weak_password'])
  })

  it.each([
    ['GET', '/api/auth/passkey/generate-authenticate-options', undefined, 20, 2],
    ['POST', '/device/v1/authorize', () => ({ name: 'd', app: '1', system: 'x' }), 20, 1],
    ['POST', '/device/v1/token', () => ({ device_code: createDeviceCode().key }), 300, 1],
    ['POST', '/device/v1/enrol', () => ({ token: createEnrolmentToken().key, name: 'd' }), 300, 1],
  ] as const)('reach the store a few times through %s %s', async (method, path, body, perMinute, steps) => {
    const { questions, allowed } = await flood(method, path, body, perMinute + 40)
    expect(questions.length).toBeLessThanOrEqual(allowed(perMinute) * steps)
  })
})
