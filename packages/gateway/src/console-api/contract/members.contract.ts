// Members, invitations and live updates.

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { createInvitationToken } from '../../access/secrets/secrets.ts'
import type { Role } from '../../store/tables/people.ts'
import {
  acme,
  audit,
  inAcme,
  newcomer,
  other,
  people,
  personOf,
  stranger,
  world,
} from '../../testing/console-fixture.ts'
import { PASSWORD } from '../../testing/console-world.ts'
import { at, codes, Visitor } from '../../testing/visitor.ts'

describe('members', () => {
  it('cannot grant or take away a role above their own', async () => {
    const [owner, member] = [await personOf(people.owner), await personOf(people.member)]
    const refused = await Promise.all([
      people.admin.send('PATCH', inAcme(`/members/${member}`), { role: 'owner' }),
      people.admin.send('PATCH', inAcme(`/members/${owner}`), { role: 'member' }),
      people.admin.send('DELETE', inAcme(`/members/${owner}`)),
      people.admin.post(inAcme('/invitations'), { role: 'owner' }),
      people.admin.send('PATCH', inAcme(`/members/${await personOf(people.admin)}`), {
        role: 'owner',
      }),
      people.member.send('PATCH', inAcme(`/members/${member}`), { role: 'admin' }),
    ])
    expect(codes(refused)).toEqual(Array.from({ length: 6 }, () => 'not_permitted'))
    expect((await audit(6)).every(({ isRefused }) => isRefused)).toBe(true)
    expect(await listRoles()).toMatchObject({ 'olga@acme.test': 'owner', 'mia@acme.test': 'member' })
  })

  it('join with a link that expires in seven days and can be revoked', async () => {
    const { link, invitation } = (
      await people.admin.post<{ link: string; invitation: { id: string; expiresAt: string } }>(inAcme('/invitations'), {
        role: 'member',
      })
    ).body
    const days = (Date.parse(invitation.expiresAt) - Date.now()) / 86_400_000
    expect([days > 6.9, days <= 7]).toEqual([true, true])
    const token = link.split('#')[1]!
    expect((await world.visitor().post('/invitations/look-up', { token })).body).toMatchObject({
      organization: 'Acme',
      role: 'member',
    })
    expect((await people.admin.send('DELETE', inAcme(`/invitations/${invitation.id}`))).status).toBe(204)
    const person = { name: 'N', email: `${randomUUID()}@n.test`, password: PASSWORD }
    expect(Visitor.code(await world.visitor().post('/invitations/accept', { token, person }))).toBe('invalid_link')
    expect(Visitor.code(await world.visitor().post('/invitations/look-up', { token }))).toBe('invalid_link')
  })

  it('can be in two organizations with one sign-in', async () => {
    const { key: token, digest } = createInvitationToken()
    const expiresAt = new Date(Date.now() + 60_000)
    await world.store.createInvitation({ organization: other, role: 'member', digest, expiresAt })
    const person = await newcomer()
    expect((await person.post('/invitations/accept', { token })).body).toEqual({ organization: other })
    expect((await person.send('PUT', '/me/active-organization', { organization: other })).status).toBe(204)
    expect((await person.get('/me')).body).toMatchObject({ activeOrganization: other })
    const nowhere = await person.send('PUT', '/me/active-organization', { organization: 'nowhere' })
    expect(Visitor.code(nowhere)).toBe('not_found')
  })

  it('can create organizations if the gateway allows it', async () => {
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

describe('event streams of one person', () => {
  const PER_PERSON = 32
  let person: Visitor
  let path: string

  beforeAll(async () => {
    person = await newcomer()
    path = `/api/v1${inAcme('/events')}`
  })

  /** Opens more streams at once than allowed, and closes them again. */
  async function countOpened(): Promise<number> {
    const leave = new AbortController()
    const { signal } = leave
    const all = await Promise.all(Array.from({ length: PER_PERSON + 8 }, () => person.fetch(path, { signal })))
    leave.abort()
    return all.filter(({ status }) => status === 200).length
  }

  /** The gateway hears a moment later that clients have left. */
  async function expectAllFree(): Promise<void> {
    await expect.poll(countOpened).toBe(PER_PERSON)
  }

  it('are counted exactly while they open at once', async () => {
    expect(await countOpened()).toBe(PER_PERSON)
    await expectAllFree()
  })

  it('leave no place taken when only their head is requested', async () => {
    for (let index = 0; index < PER_PERSON; index++) await person.fetch(path, { method: 'HEAD' })
    await expectAllFree()
  })

  it('leave no place taken when their client leaves before they begin', async () => {
    const { port } = new URL(world.base)
    for (let index = 0; index < 2 * PER_PERSON; index++) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      socket.write(`GET ${path} HTTP/1.1\r\nHost: hearth\r\nCookie: ${person.cookie}\r\n\r\n`, () => socket.destroy())
      await once(socket, 'close')
    }
    await expectAllFree()
  })
})

describe('live updates', () => {
  async function follow(person: Visitor): Promise<ReadableStreamDefaultReader<string>> {
    const { body } = await fetch(`${world.base}/api/v1${inAcme('/events')}`, {
      headers: { cookie: person.cookie },
    })
    const text = body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await text.read()).value).toContain('listening')
    return text
  }

  it('end with their session, at once', async () => {
    const person = await newcomer()
    const text = await follow(person)
    expect((await person.post('/sign-out')).status).toBe(204)
    await newcomer()
    while (!(await text.read()).done);
  })

  it('name what changed in this organization only, and end with the membership', async () => {
    const person = await newcomer()
    const text = await follow(person)
    await stranger.send('PUT', at(other, '/models'), { name: 'theirs', state: 'enabled' })
    await people.admin.send('PATCH', inAcme(`/devices/${(await world.enrolDevice(acme, 'd')).device}`), {
      name: 'e',
    })
    let heard = ''
    while (!heard.includes('data: devices')) heard += (await text.read()).value
    expect(heard).not.toContain('data: models')
    await people.admin.send('DELETE', inAcme(`/members/${await personOf(person)}`))
    while (!(await text.read()).done);
    expect((await person.get(inAcme('/events'))).status).toBe(404)
  })
})
