import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { digestSecret, isEnrolmentToken, isKey } from '../access/secrets/secrets.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { admin as runCommand, type Result } from '../testing/admin-command.ts'
import { makeDataFolder } from '../testing/data-folder.ts'
import { usePostgres } from '../testing/use-postgres.ts'

const postgres = usePostgres()
let url: string

/** Runs a command in this process. */
async function admin(...words: string[]): Promise<Result> {
  return adminWith({}, ...words)
}

async function adminWith(environment: Record<string, string>, ...words: string[]): Promise<Result> {
  return runCommand({ ...process.env, DATABASE_URL: url, ...environment }, ...words)
}

async function json<Value>(...words: string[]): Promise<Value> {
  const { code, out, error } = await admin(...words, '--json')
  expect({ code, error }).toEqual({ code: 0, error: '' })
  return JSON.parse(out) as Value
}

describe('admin', () => {
  let store: Store
  let organization: string

  beforeAll(async () => {
    url = await postgres.createDatabase()
    store = await openStore(url)
  })
  afterAll(() => store.close())

  it('explains how to create an organization when there is none', async () => {
    const { code, error } = await admin('key', 'create', 'laptop')
    expect(code).toBe(2)
    expect(error).toMatch(/There is no organization yet\. Create one with: organization create/)
  })

  it('creates an organization with its owner', async () => {
    const { code, out } = await admin('organization', 'create', 'Acme', '--owner', 'Ann@acme.test')
    expect(code).toBe(0)
    expect(out).toMatch(
      /Created organization Acme .* owned by ann@acme\.test\.\n\nNext, create an API key:\n {2}hearth admin key create/,
    )
    const [listed] = await json<{ id: string; name: string }[]>('organization', 'list')
    expect(listed).toMatchObject({ name: 'Acme' })
    organization = listed!.id
    expect(await store.listMembers(organization)).toMatchObject([{ email: 'ann@acme.test', role: 'owner' }])
  })

  it('shows a key once, and then only its last characters', async () => {
    const { out } = await admin('key', 'create', 'laptop', '--expires-in', '90d')
    const key = out.split('\n', 1)[0]!
    expect(isKey(key)).toBe(true)
    expect(await store.accessKeys()).toMatchObject([{ organization, digest: digestSecret(key) }])
    const listed = await admin('key', 'list')
    expect(listed.out).toMatch(new RegExp(`laptop +…${key.slice(-4)} +until `))
    expect(listed.out).not.toContain(key)
    const [described] = await json<object[]>('key', 'list')
    expect(JSON.stringify(described)).not.toContain(digestSecret(key))
  })

  it('creates no more keys than allowed, and says what to do', async () => {
    const create = (quota: string) => adminWith({ KEYS_PER_MEMBER: quota }, 'key', 'create', 'more')
    const refused = await create('1')
    expect(refused.code).toBe(1)
    expect(refused.error).toMatch(/has 1 of 1 allowed API keys\. Revoke.*KEYS_PER_MEMBER/)
    expect(await create('many')).toMatchObject({ code: 2, error: expect.stringMatching(/KEYS_PER_MEMBER.*"many"/) })
  })

  it('creates a key for a given member, and revokes it by name', async () => {
    await admin('member', 'add', 'bo@acme.test', '--role', 'admin')
    const made = await json<{ id: string; key: string; createdBy: string }>(
      'key',
      'create',
      'build',
      '--creator',
      'bo@acme.test',
    )
    const members = await json<{ person: string; email: string }[]>('member', 'list')
    expect(members.find(({ email }) => email === 'bo@acme.test')?.person).toBe(made.createdBy)
    expect((await admin('key', 'revoke', 'build')).out).toMatch(/Key "build" .* no longer works/)
    expect((await store.accessKeys()).some(({ id }) => id === made.id)).toBe(false)
    expect((await admin('key', 'revoke', 'build')).error).toMatch(/Acme has no active key "build"\. Available: laptop/)
  })

  it('ends the keys of a removed member', async () => {
    await json('key', 'create', 'second', '--creator', 'bo@acme.test')
    expect((await admin('member', 'remove', 'bo@acme.test')).out).toMatch(/no longer a member .* stopped working/)
    expect(await store.accessKeys()).toHaveLength(1)
  })

  it('enables, disables, lists and removes models', async () => {
    expect((await admin('model', 'enable', 'qwen3-8b')).out).toBe('Model qwen3-8b is now enabled for Acme.\n')
    await admin('model', 'disable', 'qwen3-8b')
    expect((await admin('model', 'list')).out).toMatch(/^NAME +STATE +OWNED BY +SINCE\nqwen3-8b +disabled /)
    expect((await admin('model', 'remove', 'qwen3-8b')).code).toBe(0)
    expect(await json('model', 'list')).toEqual([])
    const again = await admin('model', 'remove', 'qwen3-8b')
    expect(again).toMatchObject({ code: 2, error: expect.stringContaining('Acme has no model "qwen3-8b"') })
  })

  it('looks for a gateway that it can only guess at the port from the settings', async () => {
    const { out } = await adminWith({ PORT: '21000' }, 'enrolment', 'create')
    expect(out).toContain('http://localhost:21000')
    expect(out).not.toContain(':8080')
  })

  it('prints the command that lets a device join, lists the device and removes it', async () => {
    const { out } = await admin('enrolment', 'create', '--gateway', 'https://hearth.acme.test/')
    const [, token] = /hearth-device login https:\/\/hearth\.acme\.test --token (\S+)/.exec(out) ?? []
    expect(isEnrolmentToken(token!)).toBe(true)
    const digest = digestSecret(token!)
    const device = await store.redeemEnrolment({ digest, name: 'studio', credentialDigest: 'c', at: new Date() })
    expect((await admin('device', 'list')).out).toMatch(/studio +- +- .*UTC/)
    expect((await admin('device', 'remove', device!.id)).out).toBe('Device studio was removed from Acme.\n')
    expect(await store.listDevices(organization)).toEqual([])
  })

  it('exits with code 2 and explains what is expected', async () => {
    const wrong: [words: string[], says: RegExp][] = [
      [['frobnicate'], /unknown command 'frobnicate'/],
      [['key', 'creat', 'x'], /unknown command 'creat'.*\n?.*create/],
      [['key', 'create'], /missing required argument 'name'/],
      [['key', 'create', ' '], /Use 1 to 256 characters/],
      [['key', 'create', 'x', '--expires-in', 'soon'], /Use a duration like 30m, 12h or 90d/],
      [
        ['key', 'create', 'x', '--creator', 'no@acme.test'],
        /Acme has no member "no@acme\.test"\. Available: ann@acme\.test/,
      ],
      [['member', 'add', 'not-an-address'], /Use an email address like/],
      [['member', 'add', 'bo@acme.test', '--role', 'king'], /Use one of the roles owner, admin, member/],
      [['organization', 'create', 'Other'], /required option '--owner <email>' not specified/],
      [['model', 'list', '--organization', 'Nobody'], /There is no organization "Nobody"\. Available: Acme/],
      [['enrolment', 'create', '--gateway', 'ftp://x'], /Use a URL like https:\/\/hearth\.example\.com/],
    ]
    for (const [words, says] of wrong) {
      const { code, out, error } = await admin(...words)
      expect({ words, code, out }).toEqual({ words, code: 2, out: '' })
      expect(error).toMatch(says)
    }
  })

  it('ends a command when every gateway has read its change', async () => {
    let known = 0
    const watch = await store.watchAccess({ onChange: () => void read(), onError: () => undefined })
    const read = async () => {
      const revisions = await store.revisions()
      known = revisions.keys
      watch.known(revisions)
    }
    await vi.waitFor(() => expect(known).toBeGreaterThan(0), { timeout: 150_000 })
    expect(await admin('key', 'create', 'at once')).toMatchObject({ code: 0, error: '' })
    expect(known).toBe((await store.revisions()).keys)
    await watch.close()
  })

  it('asks which organization is meant when there are several', async () => {
    await admin('organization', 'create', 'Other', '--owner', 'ann@acme.test')
    expect(await admin('model', 'list')).toMatchObject({
      code: 2,
      error: expect.stringMatching(/Choose one with --organization <name>: Acme; Other/),
    })
    expect((await admin('model', 'list', '--organization', 'acme')).code).toBe(0)
  })

  it('gives examples with --help, for all commands and for each', async () => {
    const whole = await admin('--help')
    expect(whole).toMatchObject({ code: 0, error: '' })
    expect(whole.out).toMatch(/organization create "Acme" --owner ann@acme\.test/)
    const one = await admin('key', 'create', '--help')
    expect(one.out).toMatch(/Examples:\n {2}hearth admin key create laptop/)
    expect(await admin()).toMatchObject({
      code: 2,
      error: expect.stringContaining('Usage: hearth admin [options] [command]'),
    })
  })
})

it('admin on a folder that no other process has open opens it, and prefers --data to DATABASE_URL', async () => {
  const data = await makeDataFolder()
  const words = ['organization', 'create', 'Solo', '--owner', 'ann@acme.test', '--data', data]
  expect(await adminWith({ DATABASE_URL: 'postgres://127.0.0.1:1/x' }, ...words)).toMatchObject({
    code: 0,
    error: '',
  })
  const store = await openStore(`embedded:${data}`)
  expect(await store.listOrganizations()).toMatchObject([{ name: 'Solo' }])
  await store.close()
  rmSync(data, { recursive: true, force: true })
})
