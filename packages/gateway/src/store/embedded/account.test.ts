import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeDataFolder } from '../../testing/data-folder.ts'
import { openStore } from '../open-store.ts'
import { accountsOf, chooseAccount, type Account } from './account.ts'
import { DATABASE, USER } from './cluster.ts'
import { folderLayout } from './folder-layout.ts'
import { makeCluster } from './make-cluster.ts'
import { choosePrivateAddress } from './private-address.ts'
import { findPrograms } from './programs.ts'
import { runPostgres } from './run-postgres.ts'

// Everything here holds for every user. As root, PostgreSQL has to run as somebody else.
const SELF = process.getuid!()
const [NAMESPACE, ANOTHER_USER] = accountsOf(0, readFileSync('/etc/passwd', 'utf8')) as [Account, Account]
const [UNSHARE, ...FLAGS] = NAMESPACE.server.prefix
/** Containers often forbid namespaces. */
const USUAL = spawnSync(UNSHARE!, [...FLAGS, 'true']).status === 0 ? NAMESPACE : ANOTHER_USER
const NOBODY = 65_534

let folder: string

beforeEach(async () => {
  folder = await makeDataFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

function forbidNamespaces(): void {
  const programs = join(folder, 'forbidden')
  mkdirSync(programs)
  writeFileSync(join(programs, 'unshare'), '#!/bin/sh\necho "unshare failed: Operation not permitted" >&2; exit 1\n')
  chmodSync(join(programs, 'unshare'), 0o755)
  vi.stubEnv('PATH', `${programs}:${process.env['PATH']}`)
}

/** Opens the store and closes it, and returns what it said. */
async function visit(): Promise<string[]> {
  const notices: string[] = []
  const store = await openStore(`embedded:${folder}`, { onNotice: (text) => notices.push(text) })
  expect(await store.listOrganizations()).toEqual([])
  await store.close()
  return notices
}

function entriesOf(path: string): string[] {
  return [path, ...readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))]
}

function ownersOf(path: string): number[] {
  return [...new Set(entriesOf(path).map((entry) => lstatSync(entry).uid))]
}

describe.each([
  { where: 'as this machine lets root run it', prepare: () => undefined, account: USUAL },
  { where: 'where namespaces are forbidden', prepare: forbidNamespaces, account: ANOTHER_USER },
])('PostgreSQL, $where', ({ prepare, account }) => {
  const owner = SELF === 0 ? account.server.owner : SELF

  beforeEach(prepare)

  it('runs although its programs and its files are closed to everyone else', async () => {
    const home = join(folder, 'closed')
    mkdirSync(home, { mode: 0o700 })
    const layout = folderLayout(join(home, 'data'))
    mkdirSync(layout.root, { mode: 0o700 })
    const { bin, major } = findPrograms(layout.root)
    cpSync(dirname(bin), join(home, 'programs'), { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'go=', home])
    const programs = { bin: join(home, 'programs', 'bin'), major }
    const cluster = {
      data: layout.cluster,
      programs,
      account: chooseAccount(layout.root, join(programs.bin, 'postgres')),
    }
    await makeCluster(layout, cluster)
    const address = await choosePrivateAddress(layout)
    const server = await runPostgres(cluster, address.settings)
    const login = { host: address.host, port: address.port, user: USER, database: DATABASE }
    const client = new Client({ ...login, password: readFileSync(layout.password, 'utf8') })
    await client.connect()
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await client.end()
    await server.stop()
    expect([ownersOf(layout.cluster), statSync(layout.cluster).mode & 0o777]).toEqual([[owner], 0o700])
  })

  it('opens a folder that an earlier version gave to a shared account, though it was killed on the way and links were planted', async () => {
    const { root, cluster, password, server } = folderLayout(folder)
    const victim = join(folder, 'victim')
    writeFileSync(victim, 'untouched')
    rmSync(password)
    rmSync(join(cluster, 'pg_hba.conf'))
    for (const link of [join(cluster, 'pg_hba.conf'), `${password}.new`, server, `${server}.new`])
      symlinkSync(victim, link)
    if (SELF === 0) {
      chownSync(root, 0, NOBODY)
      chmodSync(root, 0o710)
      const entries = entriesOf(cluster)
      for (const entry of entries.slice(entries.length / 2)) lchownSync(entry, NOBODY, NOBODY)
    }
    const notices = await visit()
    expect(ownersOf(cluster)).toEqual([owner])
    // The notice names the account, so that the owner of the files surprises nobody.
    expect(notices).toEqual(SELF === 0 && account.notice !== undefined ? [account.notice] : [])
    // Nothing was written through a link.
    expect([readFileSync(victim, 'utf8'), lstatSync(victim).uid]).toEqual(['untouched', SELF])
    expect([lstatSync(password).isFile(), lstatSync(password).mode & 0o777]).toEqual([true, 0o600])
    // And after a start in which it had to run in this way, it runs in the usual one.
    vi.unstubAllEnvs()
    await visit()
    expect(ownersOf(cluster)).toEqual([SELF === 0 ? USUAL.server.owner : SELF])
  })
})

it('rejects a folder to which others can write, if root would change the owners of files there', async () => {
  chmodSync(folder, 0o777)
  if (SELF === 0) await expect(visit()).rejects.toThrow(/other users can write to .*chmod go-w/)
  chmodSync(folder, 0o755)
  await visit()
})

it("leaves all files to the folder's owner, also if root opens it, and says so if they cannot read Hearth's own", async () => {
  const owner = SELF === 0 ? NOBODY : SELF
  for (const entry of entriesOf(folder)) lchownSync(entry, owner, SELF === 0 ? NOBODY : process.getgid!())
  const file = fileURLToPath(new URL('account.ts', import.meta.url))
  const { status } = spawnSync('test', ['-r', file], { uid: owner, gid: statSync(folder).gid })
  if (status === 0) await visit()
  else
    await expect(visit()).rejects.toThrow(
      /runs as the owner of this folder \(user 65534\), who cannot read Hearth's own/,
    )
  expect(ownersOf(folder)).toEqual([owner])
})

it('runs for a user without a name, who gets one in a namespace', async () => {
  // A namespace makes this user one without a name, too. Their files stay theirs.
  const nameless = ['--user', '--map-user=54321', '--map-group=54321', '--', process.execPath]
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = spawn('unshare', [...nameless, main, join(folder, 'nameless')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])).join('')
  expect(said).toBe(USUAL === NAMESPACE ? 'database is ready\n' : '1')
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
})

it('the accounts that root chooses from have a name for tools, and for the server a number that nobody has', () => {
  const users = ['root:x:0:0::/root:/bin/sh', 'daemon:x:1:1::/:/bin/false', 'other:x:65520:65520::/:/bin/false']
  const [namespace, another] = accountsOf(0, users.join('\n'))
  expect(namespace?.server).toEqual({
    owner: 0,
    prefix: ['unshare', '--user', '--map-user=1', '--map-group=1', '--'],
  })
  expect([another?.tools.owner, another?.server.owner]).toEqual([1, 65_521])
  expect(another?.server.prefix).toEqual(expect.arrayContaining(['setpriv', '--reuid=65521', '--no-new-privs']))
  expect(another?.notice).toContain('65521')
})

it('names both reasons and what to do where root can run it in no way', () => {
  forbidNamespaces()
  const program = join(folder, 'postgres-without-libraries')
  writeFileSync(program, '#!/bin/sh\necho "no library" >&2; exit 127\n', { mode: 0o755 })
  const choose = () => chooseAccount(folder, program)
  if (SELF !== 0) expect(choose().server.prefix).toEqual([])
  else
    expect(choose).toThrow(
      /namespace \(.*not permitted\) nor another user \(no library\)\. Start Hearth as an ordinary/,
    )
})
