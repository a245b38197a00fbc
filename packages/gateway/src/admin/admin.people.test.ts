import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digestSecret } from '../access/secrets/secrets.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { answeredAdmin, type Result } from '../testing/admin-command.ts'
import { usePostgres } from '../testing/use-postgres.ts'

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

  function admin(...words: string[]): Promise<Result> {
    return answeredAdmin(answer, { DATABASE_URL: url, PUBLIC_URL: 'https://hearth.acme.test' }, ...words)
  }

  const inAcme = (...words: string[]) => admin(...words, '--organization', 'Acme')

  /** Its exit code and what it says. */
  async function refusal(...words: string[]): Promise<string> {
    const { code, error } = await admin(...words)
    return `${code} ${error}`
  }

  function tokenIn(text: string): string {
    return /https:\/\/hearth\.acme\.test\/(?:invitation|set-up)#(\S+)/.exec(text)![1]!
  }

  function newcomer(email: string) {
    return { name: 'N', email, passwordHash: 'hash' }
  }

  it('prints the set-up link while nobody can sign in; it works for a day', async () => {
    const digest = digestSecret(tokenIn((await admin('set-up', 'link')).out))
    const setUp = (hours: number) => {
      const at = new Date(NOW.getTime() + hours * 3_600_000)
      return store.setUp({ digest, at, person: newcomer('first@acme.test'), organization: 'First' })
    }
    expect(await setUp(25)).toBeUndefined()
    expect(await setUp(23)).toBeDefined()
    expect(await refusal('set-up', 'link')).toMatch(/^2 [^]*already sign in/)
  })

  it('lets a member set a first password, and a new one if it was lost', async () => {
    const first = digestSecret(tokenIn((await inAcme('member', 'let-in', 'ann@acme.test')).out))
    const as = newcomer('ann@acme.test')
    expect(await store.acceptInvitation({ digest: first, at: NOW, as })).toMatchObject({ kind: 'joined' })
    const refused = await inAcme('member', 'let-in', 'ann@acme.test')
    expect(refused).toMatchObject({ code: 2, error: expect.stringMatching(/--reset/) })
    const { out } = await inAcme('member', 'let-in', 'ann@acme.test', '--reset')
    const [ann] = await store.listMembers(organization)
    expect(await store.signInWays(ann!.person)).toMatchObject({ hasPassword: false })
    const second = digestSecret(tokenIn(out))
    expect(await store.acceptInvitation({ digest: second, at: NOW, as })).toMatchObject({ kind: 'joined' })
    expect(await store.signInWays(ann!.person)).toMatchObject({ hasPassword: true })
  })

  it('creates, lists and revokes invitations', async () => {
    const made = await inAcme('invitation', 'create', '--role', 'admin', '--json')
    const { id, link } = JSON.parse(made.out) as { id: string; link: string }
    expect((await inAcme('invitation', 'list')).out).toContain(id)
    expect((await inAcme('invitation', 'revoke', id)).code).toBe(0)
    expect((await inAcme('invitation', 'revoke', id)).code).toBe(2)
    const digest = digestSecret(tokenIn(link))
    const as = newcomer('late@acme.test')
    expect(await store.acceptInvitation({ digest, at: NOW, as })).toEqual({ kind: 'unknown' })
  })

  it('deletes an organization after its name was typed, and restores it', async () => {
    const { id } = await store.createOrganization({ name: 'Passing' })
    const deletesAt = async () => (await store.listOrganizations()).find((one) => one.id === id)?.deletesAt
    expect(await refusal('organization', 'delete', 'Passing')).toMatch(/^2 [^]*everything it has.*--yes/)
    answer = 'passing'
    expect(await refusal('organization', 'delete', 'Passing')).toMatch(/^2 [^]*Nothing was deleted/)
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
    expect(await refusal('account', 'delete', 'ann@acme.test', '--yes')).toMatch(/^2 [^]*only owner of Acme/)
    await inAcme('member', 'add', 'zoe@acme.test')
    expect((await admin('account', 'delete', 'zoe@acme.test')).code).toBe(2)
    expect((await admin('account', 'delete', 'zoe@acme.test', '--yes')).code).toBe(0)
    expect((await store.listMembers(organization)).map(({ email }) => email)).not.toContain('zoe@acme.test')
    expect((await admin('account', 'delete', 'zoe@acme.test', '--yes')).code).toBe(2)
  })

  it('creates keys with limits, changes devices and roles, and shows it all in the audit log', async () => {
    const words = ['key', 'create', 'demo', '--creator', 'ann@acme.test', '--model', 'a', 'b', '--jobs-at-once', '2']
    expect((await inAcme(...words)).code).toBe(0)
    expect(await store.listKeys(organization)).toMatchObject([{ models: ['a', 'b'], limits: { jobsAtOnce: 2 } }])
    const digest = 'd'
    await store.createEnrolment({ organization, digest, expiresAt: new Date(Date.now() + 60_000) })
    await store.redeemEnrolment({ digest, name: 'studio', credentialDigest: 'c', at: NOW })
    await inAcme('device', 'pause', 'studio')
    await inAcme('device', 'rename', 'studio', 'Attic')
    expect(await store.listDevices(organization)).toMatchObject([{ name: 'Attic', isPaused: true }])
    await inAcme('member', 'add', 'bo@acme.test')
    await inAcme('member', 'role', 'bo@acme.test', 'admin')
    const { out } = await inAcme('audit', 'list')
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
