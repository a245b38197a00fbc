import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestSecret } from '../access/secrets/secrets.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { usePostgres } from '../testing/use-postgres.ts'
import { runAdmin } from './command-line.ts'

interface Result {
  code: number
  out: string
  error: string
}

const NOW = new Date()

const postgres = usePostgres()

describe('admin about people', () => {
  let store: Store
  let url: string
  let organization: string
  /** The operator's answer to a question; undefined if nobody is there. */
  let answer: string | undefined

  beforeAll(async () => {
    url = await postgres.createDatabase()
    store = await openStore(url)
    await admin('organization', 'create', 'Acme', '--owner', 'ann@acme.test')
    organization = (await store.listOrganizations())[0]!.id
  })
  afterAll(() => store.close())

  async function admin(...words: string[]): Promise<Result> {
    const printed = { out: '', error: '' }
    const code = await runAdmin(words, {
      environment: { DATABASE_URL: url, PUBLIC_URL: 'https://hearth.acme.test' },
      stdout: { write: (text) => (printed.out += text) },
      stderr: { write: (text) => (printed.error += text) },
      ...(answer !== undefined && { stdin: Object.assign(Readable.from([`${answer}\n`]), { isTTY: true }) }),
    })
    return { code, ...printed }
  }

  function tokenIn(text: string): string {
    return /https:\/\/hearth\.acme\.test\/(?:invitation|set-up)#(\S+)/.exec(text)![1]!
  }

  function newcomer(email: string) {
    return { name: 'N', email, passwordHash: 'hash' }
  }

  it('[M1] prints the set-up link while nobody can sign in; it works for a day', async () => {
    const digest = digestSecret(tokenIn((await admin('set-up', 'link')).out))
    const setUp = (hours: number) => {
      const at = new Date(NOW.getTime() + hours * 3_600_000)
      return store.setUp({ digest, at, person: newcomer('first@acme.test'), organization: 'First' })
    }
    expect(await setUp(25)).toBeUndefined()
    expect(await setUp(23)).toBeDefined()
    expect(await admin('set-up', 'link')).toMatchObject({
      code: 2,
      error: expect.stringMatching(/already sign in/),
    })
  })

  it('lets a member set a first password, and a new one if it was lost', async () => {
    const first = digestSecret(
      tokenIn((await admin('member', 'let-in', 'ann@acme.test', '--organization', 'Acme')).out),
    )
    const as = newcomer('ann@acme.test')
    expect(await store.acceptInvitation({ digest: first, at: NOW, as })).toMatchObject({ kind: 'joined' })
    const refused = await admin('member', 'let-in', 'ann@acme.test', '--organization', 'Acme')
    expect(refused).toMatchObject({ code: 2, error: expect.stringMatching(/--reset/) })
    const { out } = await admin('member', 'let-in', 'ann@acme.test', '--reset', '--organization', 'Acme')
    const [ann] = await store.listMembers(organization)
    expect(await store.signInWays(ann!.person)).toMatchObject({ hasPassword: false })
    const second = digestSecret(tokenIn(out))
    expect(await store.acceptInvitation({ digest: second, at: NOW, as })).toMatchObject({ kind: 'joined' })
    expect(await store.signInWays(ann!.person)).toMatchObject({ hasPassword: true })
  })

  it('creates, lists and revokes invitations', async () => {
    const made = await admin('invitation', 'create', '--role', 'admin', '--organization', 'Acme', '--json')
    const { id, link } = JSON.parse(made.out) as { id: string; link: string }
    expect((await admin('invitation', 'list', '--organization', 'Acme')).out).toContain(id)
    expect((await admin('invitation', 'revoke', id, '--organization', 'Acme')).code).toBe(0)
    expect((await admin('invitation', 'revoke', id, '--organization', 'Acme')).code).toBe(2)
    const digest = digestSecret(tokenIn(link))
    const as = newcomer('late@acme.test')
    expect(await store.acceptInvitation({ digest, at: NOW, as })).toEqual({ kind: 'unknown' })
  })

  it('deletes an organization after its name was typed, and restores it', async () => {
    const { id } = await store.createOrganization({ name: 'Passing' })
    const deletesAt = async () => (await store.listOrganizations()).find((one) => one.id === id)?.deletesAt
    expect(await admin('organization', 'delete', 'Passing')).toMatchObject({
      code: 2,
      error: expect.stringMatching(/everything it has.*--yes/),
    })
    answer = 'passing'
    expect(await admin('organization', 'delete', 'Passing')).toMatchObject({
      code: 2,
      error: expect.stringMatching(/Nothing was deleted/),
    })
    expect(await deletesAt()).toBeNull()
    answer = 'Passing'
    expect(await admin('organization', 'delete', 'Passing')).toMatchObject({ code: 0 })
    expect(await deletesAt()).toBeInstanceOf(Date)
    expect((await admin('organization', 'restore', 'Passing')).code).toBe(0)
    answer = undefined
    expect(await deletesAt()).toBeNull()
    expect((await admin('organization', 'delete', 'Passing', '--yes')).out).toContain(`organization restore ${id}`)
    await store.restoreOrganization({ organization: id })
  })

  it('deletes an account, unless nobody else owns its organization', async () => {
    expect(await admin('account', 'delete', 'ann@acme.test', '--yes')).toMatchObject({
      code: 2,
      error: expect.stringMatching(/only owner of Acme/),
    })
    await admin('member', 'add', 'zoe@acme.test', '--organization', 'Acme')
    expect((await admin('account', 'delete', 'zoe@acme.test')).code).toBe(2)
    expect((await admin('account', 'delete', 'zoe@acme.test', '--yes')).code).toBe(0)
    expect((await store.listMembers(organization)).map(({ email }) => email)).not.toContain('zoe@acme.test')
    expect((await admin('account', 'delete', 'zoe@acme.test', '--yes')).code).toBe(2)
  })

  it('creates keys with limits, changes devices and roles, and shows it all in the audit log', async () => {
    const words = ['key', 'create', 'demo', '--creator', 'ann@acme.test', '--model', 'a', 'b', '--jobs-at-once', '2']
    expect((await admin(...words, '--organization', 'Acme')).code).toBe(0)
    expect(await store.listKeys(organization)).toMatchObject([{ models: ['a', 'b'], limits: { jobsAtOnce: 2 } }])
    const digest = 'd'
    await store.createEnrolment({ organization, digest, expiresAt: new Date(Date.now() + 60_000) })
    await store.redeemEnrolment({ digest, name: 'studio', credentialDigest: 'c', at: NOW })
    await admin('device', 'pause', 'studio', '--organization', 'Acme')
    await admin('device', 'rename', 'studio', 'Attic', '--organization', 'Acme')
    expect(await store.listDevices(organization)).toMatchObject([{ name: 'Attic', isPaused: true }])
    await admin('member', 'add', 'bo@acme.test', '--organization', 'Acme')
    await admin('member', 'role', 'bo@acme.test', 'admin', '--organization', 'Acme')
    const { out } = await admin('audit', 'list', '--organization', 'Acme')
    for (const line of [
      /operator +member\.change +bo@acme\.test +role: member → admin/,
      /operator +device\.change +Attic +name: studio → Attic/,
      /studio +device\.enrol/,
      /operator +key\.create +demo .*jobsAtOnce: - → 2/,
      /ann@acme\.test +member\.join/,
    ])
      expect(out).toMatch(line)
  })
})
