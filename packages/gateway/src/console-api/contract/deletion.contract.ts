// Deleting an organization, and keeping it after all.

import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { digestSecret } from '../../access/secrets/secrets.ts'
import {
  acme,
  inAcme,
  makeKey,
  people,
  personOf,
  stranger,
  useKey,
  world,
  type MadeKey,
} from '../../testing/console-fixture.ts'
import { PASSWORD } from '../../testing/console-world.ts'
import { at, codes, Visitor } from '../../testing/visitor.ts'

describe('an export', () => {
  type Exported = Record<string, Record<string, unknown>[]>

  it('has everything of an organization but secrets, and is for its owners', async () => {
    const { owner, admin, member } = people
    const { key, secret } = await makeKey(member, { name: 'exported' })
    const { status, headers, body } = await owner.get<Exported>(inAcme('/export'))
    expect([status, headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="hearth-organization.json"',
    ])
    expect(body).toMatchObject({ export: 'organization', organization: { id: acme, name: 'Acme' } })
    expect(body['members']!.map(({ email }) => email)).toContain('mia@acme.test')
    expect(body['keys']).toContainEqual(expect.objectContaining({ id: key.id, name: 'exported' }))
    expect(body['audit']).toContainEqual(expect.objectContaining({ action: 'key.create' }))
    for (const part of ['invitations', 'models', 'devices', 'usage', 'requests'])
      expect(body[part]).toBeInstanceOf(Array)
    const text = JSON.stringify(body)
    for (const never of [secret, digestSecret(secret), PASSWORD]) expect(text).not.toContain(never)
    expect(text).not.toMatch(/digest|"password":|\$scrypt\$/i)
    const others = [await admin.get(inAcme('/export')), await member.get(inAcme('/export'))]
    expect(codes(others)).toEqual(['not_permitted', 'not_permitted'])
    expect((await stranger.get(inAcme('/export'))).status).toBe(404)
  })

  it('of a person has what they did and nothing of others', async () => {
    const { member, owner } = people
    const { key } = await makeKey(member, { name: 'own' })
    const { key: another } = await makeKey(owner, { name: "the owner's" })
    const { body } = await member.get<Exported>('/me/export')
    const [person] = [await personOf(member)]
    expect(body).toMatchObject({
      export: 'person',
      person: { id: person, email: 'mia@acme.test', accounts: [{ provider: 'credential' }] },
    })
    expect(body['organizations']).toContainEqual({ id: acme, name: 'Acme', role: 'member' })
    const ids = body['keys']!.map(({ id }) => id)
    expect([ids.includes(key.id), ids.includes(another.id)]).toEqual([true, false])
    expect(body['audit']!.map(({ actor }) => (actor as { id: string }).id)).toEqual(body['audit']!.map(() => person))
    expect(body['audit']!.length).toBeGreaterThan(0)
    expect(JSON.stringify(body)).not.toMatch(/digest|"password":|\$scrypt\$|olga@acme/i)
    expect(body['person']).toMatchObject({
      activity: expect.arrayContaining([expect.objectContaining({ event: 'sign-in' })]),
    })
  })

  it('are limited for each person', async () => {
    const { member } = people
    const all = await Promise.all(Array.from({ length: 8 }, () => member.get('/me/export')))
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set([200, 429]))
    expect(JSON.stringify(all.map(({ body }) => body))).toContain('You have 2 downloads running')
    await expect.poll(async () => (await member.get('/me/export')).status).toBe(200)
  })
})

describe('an account that is deleted', () => {
  const email = () => `${randomUUID()}@leaving.test`

  it('needs the address and the password, and ends sessions, keys and memberships', async () => {
    const address = email()
    const person = await world.join(acme, address, 'member')
    const { secret } = await makeKey(person)
    const rejected = [
      await person.post('/me/delete', { email: 'mia@acme.test', password: PASSWORD }),
      await person.post('/me/delete', { email: address, password: 'not the password' }),
      await person.post('/me/delete', { email: address }),
    ]
    expect(codes(rejected)).toEqual(['invalid_value', 'wrong_sign_in', 'wrong_sign_in'])
    expect((await useKey(secret)).status).toBe(200)
    expect((await person.post('/me/delete', { email: address, password: PASSWORD })).status).toBe(204)
    expect([(await person.get('/me')).status, (await useKey(secret)).status]).toEqual([401, 401])
    const again = await world.visitor().post('/sign-in', { email: address, password: PASSWORD })
    expect(Visitor.code(again)).toBe('wrong_sign_in')
  })

  it('leaves its work behind without its name', async () => {
    const address = email()
    const person = await world.join(acme, address, 'admin')
    await makeKey(person, { name: 'kept' })
    await person.send('PATCH', '/me', { name: 'Leah Ving' })
    await person.post('/me/delete', { email: address, password: PASSWORD })
    const audit = JSON.stringify((await people.owner.get(inAcme('/audit?limit=8'))).body)
    const keys = JSON.stringify((await people.owner.get(inAcme('/keys'))).body)
    expect([audit.includes('Deleted account'), keys.includes('Deleted account')]).toEqual([true, true])
    for (const name of ['Leah Ving', address, address.split('@', 1)[0]!])
      expect([name, audit.includes(name), keys.includes(name)]).toEqual([name, false, false])
  })

  it('is not the only owner of an organization, unless that is being deleted too', async () => {
    const { id } = await world.store.createOrganization({ name: 'Lonely' })
    const address = email()
    const owner = await world.join(id, address, 'owner')
    const wish = { email: address, password: PASSWORD }
    const rejected = await owner.post<{ error: { message: string } }>('/me/delete', wish)
    expect([Visitor.code(rejected), rejected.body.error.message]).toEqual([
      'last_owner',
      expect.stringContaining('only owner of Lonely'),
    ])
    await owner.post(at(id, '/delete'), { name: 'Lonely' })
    expect((await owner.post('/me/delete', wish)).status).toBe(204)
  })
})

describe('an organization that is deleted', () => {
  async function settle() {
    const { id } = await world.store.createOrganization({ name: 'Passing' })
    const [owner, admin] = [await join(id, 'owner'), await join(id, 'admin')]
    const { secret } = (await owner.post<MadeKey>(at(id, '/keys'), { name: 'k' })).body
    return { id, owner, admin, secret }
  }

  function join(organization: string, role: 'owner' | 'admin'): Promise<Visitor> {
    return world.join(organization, `${randomUUID()}@passing.test`, role)
  }

  it('stops at once, says when it will be gone, and can be restored for seven days', async () => {
    const { id, owner, admin, secret } = await settle()
    expect((await useKey(secret)).status).toBe(200)
    const { body } = await owner.post<{ deletesAt: string }>(at(id, '/delete'), { name: 'Passing' })
    const days = (Date.parse(body.deletesAt) - Date.now()) / 86_400_000
    expect([days > 6.9, days <= 7]).toEqual([true, true])
    expect((await useKey(secret)).status).toBe(401)
    expect((await admin.get('/me')).body).toMatchObject({ organizations: [{ id, deletesAt: body.deletesAt }] })
    expect((await owner.get(at(id))).body).toMatchObject({ deletesAt: body.deletesAt })
    const again = await owner.post(at(id, '/delete'), { name: 'Passing' })
    expect(again.body).toEqual(body)
    expect((await owner.post(at(id, '/restore'))).status).toBe(204)
    expect((await useKey(secret)).status).toBe(200)
    expect((await owner.get(at(id))).body).toMatchObject({ deletesAt: null })
  })

  it('is deleted by owners only, who type its name', async () => {
    const { id, owner, admin, secret } = await settle()
    const rejected = [
      await admin.post(at(id, '/delete'), { name: 'Passing' }),
      await owner.post(at(id, '/delete'), { name: 'passing' }),
      await owner.post(at(id, '/delete'), {}),
      await stranger.post(at(id, '/delete'), { name: 'Passing' }),
    ]
    expect(codes(rejected)).toEqual(['not_permitted', 'invalid_value', 'invalid_value', 'not_found'])
    expect((await useKey(secret)).status).toBe(200)
    await owner.post(at(id, '/delete'), { name: 'Passing' })
    expect(Visitor.code(await admin.post(at(id, '/restore')))).toBe('not_permitted')
  })

  it('can be looked at and left, but not changed', async () => {
    const { id, owner, admin } = await settle()
    await owner.post(at(id, '/delete'), { name: 'Passing' })
    const rejected = [
      await owner.post(at(id, '/keys'), { name: 'k' }),
      await owner.post(at(id, '/invitations'), { role: 'member' }),
      await owner.send('PUT', at(id, '/models'), { name: 'm', state: 'enabled' }),
      await owner.send('PATCH', at(id), { name: 'Other' }),
    ]
    expect(codes(rejected)).toEqual(Array.from(rejected, () => 'being_deleted'))
    for (const path of ['/keys', '/members', '/devices', '/models', '/audit', '/overview'])
      expect([path, (await owner.get(at(id, path))).status]).toEqual([path, 200])
    expect((await admin.post(at(id, '/leave'))).status).toBe(204)
  })
})
