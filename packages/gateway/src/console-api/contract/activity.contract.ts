// What people, the audit log and the metrics get to know about sign-ins.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { acme, inAcme, people, personOf, world } from '../../testing/console-fixture.ts'
import { PASSWORD } from '../../testing/console-world.ts'
import { totp } from '../../testing/totp.ts'
import type { Visitor } from '../../testing/visitor.ts'

interface Listed {
  event: string
  way: string | null
  address: string | null
  browser: string | null
  times: number
}

const activity = async (visitor: Visitor) =>
  (await visitor.get<{ activities: Listed[] }>('/me/activity')).body.activities
const events = async (visitor: Visitor) => (await activity(visitor)).map(({ event }) => event)

interface Entry {
  action: string
  isRefused: boolean
  actor: { id: string | null; name: string }
  object: { id: string }
  address: string | null
}

/** The audit log of acme about this person, newest first. */
async function auditOf(person: string): Promise<Entry[]> {
  const { entries } = (await people.owner.get<{ entries: Entry[] }>(inAcme('/audit?limit=200'))).body
  return entries.filter(({ object }) => object.id === person)
}

async function counted(event: string): Promise<number> {
  const text = await (await fetch(`${world.base}/metrics`)).text()
  return Number(new RegExp(`^hearth_account_events_total\\{event="${event}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

async function join() {
  const email = `${randomUUID()}@acme.test`
  const visitor = await world.join(acme, email, 'member')
  return { email, visitor, person: await personOf(visitor) }
}

describe('recent activity', () => {
  it('has each sign-in with its way, address and browser, and so has the audit log without the browser', async () => {
    const { email, visitor, person } = await join()
    const elsewhere = world.visitor()
    const agent = { 'user-agent': 'Mozilla/5.0 Firefox/150.0' }
    const before = await counted('sign-in')
    await elsewhere.send('POST', '/sign-in', { email, password: PASSWORD }, agent)
    const [latest, first] = await activity(visitor)
    const { 'user-agent': browser } = agent
    expect(latest).toMatchObject({ event: 'sign-in', way: 'password', address: elsewhere.address, browser, times: 1 })
    expect(first).toMatchObject({ event: 'sign-in', address: visitor.address })
    const [entry] = await auditOf(person)
    expect(entry).toMatchObject({ action: 'member.sign-in', actor: { id: person }, address: elsewhere.address })
    expect(JSON.stringify(entry)).not.toContain('Firefox')
    expect(await counted('sign-in')).toBeGreaterThan(before)
    expect(await events(people.owner)).not.toEqual(await events(visitor))
  })

  it('has the wrong passwords of an hour as one entry, and so has the audit log', async () => {
    const { email, visitor, person } = await join()
    const guess = (guesser: Visitor) => guesser.post('/sign-in', { email, password: 'not the password' })
    const [one, other] = [world.visitor(), world.visitor()]
    await Promise.all([guess(one), guess(one), guess(one)])
    await expect
      .poll(async () => (await activity(visitor))[0])
      .toMatchObject({
        event: 'wrong-password',
        times: 3,
        address: one.address,
      })
    await guess(other)
    await expect.poll(async () => (await activity(visitor))[0]).toMatchObject({ times: 4, address: null })
    expect(await events(visitor)).toEqual(['wrong-password', 'sign-in'])
    const refused = (await auditOf(person)).filter(({ isRefused }) => isRefused)
    expect(refused).toMatchObject([
      { action: 'member.wrong-password', actor: { id: null, name: 'Someone' }, address: one.address },
    ])
  })

  it('counts attempts at addresses without an account, and those that are one too many, and says nothing else about them', async () => {
    const email = `${randomUUID()}@nobody.test`
    const before = [await counted('unknown-account'), await counted('too-many-attempts')]
    const visitor = world.visitor()
    for (let attempt = 0; attempt < 12; attempt++) await visitor.post('/sign-in', { email, password: 'guess' })
    await expect.poll(() => counted('unknown-account')).toBe(before[0]! + 10)
    expect(await counted('too-many-attempts')).toBe(before[1]! + 2)
    const audit = JSON.stringify((await people.owner.get(inAcme('/audit?limit=200'))).body)
    expect(audit).not.toContain(email)
  })

  it('has changes of how someone signs in, and wrong codes', async () => {
    const { email, visitor, person } = await join()
    const begun = await visitor.post<{ uri: string; backupCodes: string[] }>('/me/second-factor', {
      password: PASSWORD,
    })
    await visitor.post('/me/second-factor/confirm', { code: totp(begun.body.uri) })
    const second = world.visitor()
    await second.post('/sign-in', { email, password: PASSWORD })
    await second.post('/sign-in/second-factor', { code: '000000' })
    await expect.poll(() => events(visitor)).toContain('wrong-code')
    await second.post('/sign-in/second-factor', { code: begun.body.backupCodes[0], isBackupCode: true })
    await visitor.send('DELETE', '/me/sessions')
    await visitor.send('PUT', '/me/password', { current: 'wrong', next: 'another long password' })
    await expect.poll(() => events(visitor)).toContain('wrong-password')
    await visitor.send('PUT', '/me/password', { current: PASSWORD, next: 'another long password' })
    await visitor.post('/me/second-factor/end', { password: 'another long password' })
    const happened = [
      'remove-second-factor',
      'change-password',
      'wrong-password',
      'end-sessions',
      'sign-in',
      'wrong-code',
      'add-second-factor',
      'sign-in',
    ]
    expect(await events(visitor)).toEqual(happened)
    expect((await activity(visitor))[4]).toMatchObject({ way: 'backup-code', address: second.address })
    const entries = await auditOf(person)
    expect(entries.map(({ action }) => action)).toEqual([...happened.map((event) => `member.${event}`), 'member.join'])
    const { actor } = entries.find(({ action }) => action === 'member.wrong-password')!
    expect(actor.id).toBe(person)
  })
})

describe('a session', () => {
  const DAY_MS = 86_400_000
  const moveBack = async (person: string, fields: (now: number) => Record<string, Date>) => {
    const tables = (await world.store.accountTables())({ user: { modelName: 'person' } })
    const where = [{ field: 'userId', value: person }]
    await tables.update({ model: 'session', where, update: fields(Date.now()) })
  }
  type Me = { sessionExpiresAt: string; sessionEndsAt: string }
  const me = async (visitor: Visitor) => {
    const { status, body } = await visitor.get<Me>('/me')
    const { sessionExpiresAt: expiresAt, sessionEndsAt: endsAt } = body
    return { status, expiresInMs: Date.parse(expiresAt) - Date.now(), expiresAt, endsAt }
  }

  it('expires seven days after the last visit, and ends thirty days after it began', async () => {
    const { visitor, person } = await join()
    const ago = (days: number) => (now: number) => new Date(now - days * DAY_MS)
    const begun = (days: number, expiresInDays: number) =>
      moveBack(person, (now) => ({
        createdAt: ago(days)(now),
        updatedAt: ago(1)(now),
        expiresAt: new Date(now + expiresInDays * DAY_MS),
      }))
    await begun(20, 1)
    // This is a visit.
    expect((await me(visitor)).expiresInMs / DAY_MS).toBeCloseTo(7, 2)
    await begun(28, 1)
    const nearItsEnd = await me(visitor)
    expect(nearItsEnd.expiresInMs / DAY_MS).toBeCloseTo(2, 2)
    expect(nearItsEnd.expiresAt).toBe(nearItsEnd.endsAt)
    await begun(30, 1)
    // Renewed before its end, as by an earlier version.
    expect((await me(visitor)).status).toBe(401)
    const cookies = (await visitor.get('/me')).headers.getSetCookie()
    expect(cookies).toEqual([])
  })
})

it('a password hash of an earlier version is replaced when its person signs in', async () => {
  const { email, visitor, person } = await join()
  const first =
    '38f6b6b4adb480c3e22bdaf2823461da:cc7aa7859e03e3b111db13fb71e2429bad13f1a6cc3fbb8163aea850f070b25b75020f3055d531de282713857639f2a5ea8f3b5d40b9501ccc5f66d995941783'
  const stored = (await world.store.passwordHash(person))!
  await world.store.replacePasswordHash({ from: stored, to: first })
  expect((await visitor.post('/sign-in', { email, password: 'not the password' })).status).toBe(401)
  expect(await world.store.passwordHash(person)).toBe(first)
  expect((await visitor.post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
  expect(await world.store.passwordHash(person)).toMatch(/^\$scrypt\$/)
  expect((await visitor.post('/sign-in', { email, password: PASSWORD })).status).toBe(200)
})
