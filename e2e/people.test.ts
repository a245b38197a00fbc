// Two organizations, four people, keys and devices on a real gateway process, starting with the link it prints. Changes made in the
// console are observed where apps and devices notice them: at /openai/v1 and on the device link.

import { makeDataFolder, openStore, ScriptedDevice, Visitor, type Store } from '@hearth/gateway/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, type OpenStream } from './harness/client/client.ts'
import { DEADLINE_MS } from './harness/deadline.ts'
import { expectCompletion, expectError } from './harness/client/expect-reply.ts'
import { startGateway, type GatewayProcess } from './harness/processes/gateway-process.ts'
import { readWholeStream } from './harness/client/read-stream.ts'
import { removeFolder } from './harness/remove-folder.ts'

const PASSWORD = 'correct horse battery'
const MODEL = 'acme/chat:7b'
const HI = { model: MODEL, messages: [{ role: 'user', content: 'hi' }] }
const UNKNOWN_KEY = { status: 401, code: 'invalid_api_key' }
const DISABLED = { status: 403, code: 'model_disabled' }

interface Organization {
  id: string
  device: ScriptedDevice
  deviceId: string
}

let folder: string
let gateway: GatewayProcess
/** The same data opened from another process, like the operator's command line. */
let store: Store
let olga: Visitor
let adam: Visitor
let mia: Visitor
let sam: Visitor
let acme: Organization
let beta: Organization

beforeAll(async () => {
  folder = await makeDataFolder()
  gateway = await startGateway({
    DATABASE_URL: `embedded:${folder}`,
    PEOPLE_MAKE_ORGANIZATIONS: 'true',
    DRAIN_MS: '500',
  })
  store = await openStore(`embedded:${folder}`)
  await gateway.heard('/set-up#')
})
afterAll(async () => {
  for (const organization of [acme, beta]) await organization?.device[Symbol.asyncDispose]()
  await store.close()
  await gateway[Symbol.asyncDispose]()
  await removeFolder(folder)
})

function at({ id }: Pick<Organization, 'id'>, path = ''): string {
  return `/organizations/${id}${path}`
}

function client(key: string): Client {
  return new Client(`${gateway.origin}/openai/v1`, key)
}

async function makeKey(
  person: Visitor,
  organization: Organization,
  more: object = {},
): Promise<{ id: string; secret: string }> {
  const body = { name: 'program', ...more }
  const made = await person.post<{ key: { id: string }; secret: string }>(at(organization, '/keys'), body)
  expect(made.status).toBe(200)
  return { id: made.body.key.id, secret: made.body.secret }
}

/** A stream of a key that expires while it is open. A machine that was too slow to open it gets a key that lives longer. */
async function openOnExpiringKey(lifeMs = 1_500): Promise<OpenStream & { secret: string }> {
  const body = { name: 'program', expiresAt: new Date(Date.now() + lifeMs).toISOString() }
  const { body: made } = await adam.post<{ secret?: string }>(at(acme, '/keys'), body)
  const secret = made.secret ?? 'expired before it was made'
  try {
    return { ...(await client(secret).openStream(HI)), secret }
  } catch (error) {
    if (lifeMs > DEADLINE_MS) throw error
    return openOnExpiringKey(lifeMs * 2)
  }
}

async function invite(
  host: Visitor,
  organization: Pick<Organization, 'id'>,
  role: string,
  name: string,
): Promise<Visitor> {
  const { body } = await host.post<{ link: string }>(at(organization, '/invitations'), { role })
  const guest = new Visitor(gateway.origin)
  const person = { name, email: `${name.toLowerCase()}@example.test`, password: PASSWORD }
  const accepted = await guest.post('/invitations/accept', { token: body.link.split('#')[1], person })
  expect(accepted.status).toBe(200)
  return guest
}

async function connect(credential: string, slots = 2): Promise<ScriptedDevice> {
  const models = [{ name: MODEL, slots }]
  const device = new ScriptedDevice({ gateway: gateway.origin, credential, models })
  await device.welcome
  return device
}

async function callDevice(path: string, body: object): Promise<Record<string, string>> {
  const { json } = await client('').call(`${gateway.origin}/device/v1/${path}`, { key: null, body })
  return json as Record<string, string>
}

async function queued(count: number): Promise<void> {
  const metrics = async () => (await client('').call(`${gateway.origin}/metrics`, { key: null })).text
  await expect.poll(metrics).toContain(`hearth_queued_jobs ${count}\n`)
}

/** A stream that stops in the middle until it may go on. */
async function openStalled({ device }: Organization, secret: string): Promise<OpenStream & { goOn: () => void }> {
  const { promise, resolve: goOn } = Promise.withResolvers<void>()
  device.plan = { stall: { at: 2, until: promise } }
  const stream = await client(secret).openStream(HI)
  await stream.events.next()
  return { ...stream, goOn }
}

async function expectCutOff(events: OpenStream['events']): Promise<void> {
  const { error, done } = await readWholeStream(events)
  expect([error?.code, done]).toEqual(['invalid_api_key', false])
}

describe('from nothing to two organizations', () => {
  it('the gateway prints a link that makes one person an owner', async () => {
    const token = /\/set-up#([\w-]+)/.exec(gateway.output())![1]!
    olga = new Visitor(gateway.origin)
    const person = { name: 'Olga', email: 'olga@example.test', password: PASSWORD }
    const done = await olga.post<{ organization: string }>('/set-up', { token, organization: 'Acme', ...person })
    expect(done.status).toBe(200)
    acme = { id: done.body.organization } as Organization
    const again = await new Visitor(gateway.origin).post('/set-up', { token, organization: 'Evil', ...person })
    expect(Visitor.code(again)).toBe('invalid_link')
  })

  it('people join with links, and one of them gets their own organization', async () => {
    adam = await invite(olga, acme, 'admin', 'Adam')
    mia = await invite(adam, acme, 'member', 'Mia')
    const made = await olga.post<{ id: string }>('/organizations', { name: 'Beta' })
    beta = { id: made.body.id } as Organization
    sam = await invite(olga, beta, 'owner', 'Sam')
    expect((await olga.post(at(beta, '/leave'))).status).toBe(204)
    expect((await sam.get(at(beta, '/members'))).body).toMatchObject({ members: [{ name: 'Sam', role: 'owner' }] })
  })

  it('a device joins with a code that Adam approves, another with a token from Sam', async () => {
    const { device_code, user_code } = await callDevice('authorize', { name: 'studio', app: '0.1.0', system: 'linux' })
    expect((await adam.post(at(acme, '/device-codes/look-up'), { userCode: user_code })).body).toMatchObject({
      name: 'studio',
    })
    await adam.post(at(acme, '/device-codes/approve'), { userCode: user_code })
    const first = await callDevice('token', { device_code: device_code! })
    acme = { ...acme, device: await connect(first['credential']!, 1), deviceId: first['device']! }
    const { token } = (await sam.post<{ token: string }>(at(beta, '/enrolments'))).body
    const second = await callDevice('enrol', { token, name: 'attic' })
    beta = { ...beta, device: await connect(second['credential']!), deviceId: second['device']! }
  })

  it('models that devices offer can be enabled', async () => {
    const show = async () => (await mia.get<{ models: object[] }>(at(acme, '/models'))).body.models
    expect(await show()).toMatchObject([{ name: MODEL, state: 'offered', slots: 1, devices: [{ name: 'studio' }] }])
    for (const [person, place] of [
      [adam, acme],
      [sam, beta],
    ] as const)
      expect((await person.send('PUT', at(place, '/models'), { name: MODEL, state: 'enabled' })).status).toBe(204)
    expect(await show()).toMatchObject([{ name: MODEL, state: 'enabled' }])
  })

  it('each organization is served by its own devices', async () => {
    for (const [person, own, other] of [
      [mia, acme, beta],
      [sam, beta, acme],
    ] as const) {
      const before = other.device.jobs.length
      const { secret } = await makeKey(person, own)
      expectCompletion(await client(secret).post(HI))
      expect(own.device.jobs.length).toBeGreaterThan(0)
      expect(other.device.jobs).toHaveLength(before)
    }
  })
})

describe('changes that take something away', () => {
  it('Mia leaves: her stream breaks off, her waiting request and her next one are rejected', async () => {
    const { secret } = await makeKey(mia, acme)
    const { events } = await openStalled(acme, secret)
    const waiting = client(secret).post(HI)
    await queued(1)
    expect((await mia.post(at(acme, '/leave'))).status).toBe(204)
    expectError(await client(secret).post(HI), UNKNOWN_KEY)
    expectError(await waiting, UNKNOWN_KEY)
    await expectCutOff(events)
    expect(Visitor.code(await mia.get(at(acme, '/models')))).toBe('not_found')
    acme.device.plan = {}
  })

  it('a key is revoked by someone else: its stream breaks off', async () => {
    const { id, secret } = await makeKey(adam, acme)
    const { events } = await openStalled(acme, secret)
    expect((await olga.send('DELETE', at(acme, `/keys/${id}`))).status).toBe(204)
    await expectCutOff(events)
    acme.device.plan = {}
  })

  it('a key expires: its stream breaks off, its next request is rejected', async () => {
    acme.device.plan = { stall: { at: 2, until: new Promise(() => {}) } }
    const { events, secret } = await openOnExpiringKey()
    await expectCutOff(events)
    expectError(await client(secret).post(HI), UNKNOWN_KEY)
    acme.device.plan = {}
  })

  it('a device is paused: it finishes its job, gets no other and serves no model until it is resumed', async () => {
    const { secret } = await makeKey(olga, acme)
    const { events, goOn } = await openStalled(acme, secret)
    await olga.send('PATCH', at(acme, `/devices/${acme.deviceId}`), { isPaused: true })
    const waiting = client(secret).post(HI)
    await queued(1)
    expect((await olga.get(at(acme, '/overview'))).body).toMatchObject({ models: { enabled: 1, served: 0 } })
    goOn()
    expect((await readWholeStream(events)).done).toBe(true)
    const before = acme.device.jobs.length
    await queued(1)
    expect(acme.device.jobs).toHaveLength(before)
    await olga.send('PATCH', at(acme, `/devices/${acme.deviceId}`), { isPaused: false })
    expectCompletion(await waiting)
    acme.device.plan = {}
  })

  it('[H80] [H80a] a model is disabled, then removed: waiting requests are rejected, the running stream finishes', async () => {
    const { secret } = await makeKey(olga, acme)
    const { events, goOn } = await openStalled(acme, secret)
    const waiting = client(secret).post(HI)
    await queued(1)
    await olga.send('PUT', at(acme, '/models'), { name: MODEL, state: 'disabled' })
    expectError(await waiting, DISABLED)
    expectError(await client(secret).post(HI), DISABLED)
    goOn()
    expect((await readWholeStream(events)).done).toBe(true)
    await olga.send('DELETE', at(acme, `/models?name=${encodeURIComponent(MODEL)}`))
    expectError(await client(secret).post(HI), DISABLED)
    expectError(await client(secret).call(`/models/${encodeURIComponent(MODEL)}`), {
      status: 404,
      code: 'model_not_found',
    })
    await olga.send('PUT', at(acme, '/models'), { name: MODEL, state: 'enabled' })
    expectCompletion(await client(secret).post(HI))
    acme.device.plan = {}
  })

  it('another process revokes a key: it is rejected within a second', async () => {
    const { id, secret } = await makeKey(olga, acme)
    expectCompletion(await client(secret).post(HI))
    await store.revokeKey({ organization: acme.id, key: id })
    await expect.poll(async () => (await client(secret).post(HI)).status).toBe(401)
  })

  it('a device is removed: its link is closed', async () => {
    await olga.send('DELETE', at(acme, `/devices/${acme.deviceId}`))
    expect(await acme.device.closed).toMatchObject({ code: 4401 })
    expect((await olga.get<{ devices: object[] }>(at(acme, '/devices'))).body.devices).toEqual([])
  })
})

describe('monthly budgets', () => {
  it('warn in a header, then end in a 429 that the SDK shows and does not repeat, until somebody raises them', async () => {
    const { id, secret } = await makeKey(sam, beta, { limits: { tokensPerMonth: 1_000_000 } })
    const { headers, json } = await client(secret).post(HI)
    expect(headers.has('x-service-budget')).toBe(false)
    const { total_tokens: each } = (json as { usage: { total_tokens: number } }).usage
    const budget = (tokensPerMonth: number) =>
      sam.send('PATCH', at(beta, `/keys/${id}`), { limits: { tokensPerMonth } })
    expect((await budget(each + 1)).status).toBe(200)
    const last = await client(secret).post(HI)
    expect(last.headers.get('x-service-budget')).toMatch(/^key=\d\d$/)
    let calls = 0
    const openai = new OpenAI({
      baseURL: `${gateway.origin}/openai/v1`,
      apiKey: secret,
      maxRetries: 2,
      fetch: async (...asked) => {
        calls += 1
        return fetch(...asked)
      },
    })
    const rejected = openai.chat.completions.create({ model: MODEL, messages: [{ role: 'user', content: 'hi' }] })
    const error = await rejected.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OpenAI.RateLimitError)
    expect(error).toMatchObject({ status: 429, code: 'insufficient_quota', type: 'insufficient_quota' })
    expect(String(error)).toMatch(
      /budget of this API key is used up: [\d,]+ tokens. It starts again on \d{4}-\d\d-01 at/,
    )
    expect(calls).toBe(1)
    await budget(each * 100)
    expectCompletion(await client(secret).post(HI))
    const spent = sam.get<{ budgets: object[] }>(at(beta, '/budgets'))
    expect((await spent).body.budgets).toMatchObject([{ holder: 'key', id, tokens: each * 100 }])
  })
})

describe('rate limits', () => {
  it('[M33] are shown in headers, only for keys that have limits', async () => {
    const limited = await makeKey(sam, beta, { limits: { requestsPerMinute: 60, tokensPerMinute: 100_000 } })
    const { headers } = await client(limited.secret).post(HI)
    expect(headers.get('x-ratelimit-limit-requests')).toBe('60')
    expect(headers.get('x-ratelimit-remaining-requests')).toBe('59')
    expect(headers.get('x-ratelimit-reset-requests')).toMatch(/^[\d.]+(ms|s)$/)
    expect(Number(headers.get('x-ratelimit-remaining-tokens'))).toBeLessThan(100_000)
    const free = await makeKey(sam, beta)
    const answer = await client(free.secret).post(HI)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
  })
})
