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
import { leaveOut } from '@hearth/command-line/testing/leave-out'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { Client } from 'pg'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeDataFolder } from '../../testing/data-folder.ts'
import { openStore } from '../open-store.ts'
import { chooseAccount, namespaceOf, stranger } from './account.ts'
import { DATABASE, USER } from './cluster.ts'
import { readServerNote } from './find-server.ts'
import { folderLayout } from './folder-layout.ts'
import { makeCluster } from './make-cluster.ts'
import { choosePrivateAddress } from './private-address.ts'
import { findPrograms } from './programs.ts'
import { runPostgres } from './run-postgres.ts'

// Everything here holds for every user. As root, PostgreSQL has to run as somebody else.
const SELF = process.getuid!()
const [UNSHARE, ...FLAGS] = namespaceOf(0).server.prefix
/** Containers often forbid namespaces. */
const hasNamespaces = spawnSync(UNSHARE!, [...FLAGS, 'true']).status === 0
const STRANGER = stranger()
const NOBODY = 65_534
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0
if (SELF !== 0) leaveOut("PostgreSQL without root's rights: this is not root")
else if (!mayMount) leaveOut("PostgreSQL in root's closed home: this root may not mount anything")
const ATTACKS = [
  "select pg_read_file('/etc/shadow')",
  "copy (select 1) to '/root/hearth-was-here'",
  "copy (select 1) to program 'cat > /root/hearth-was-here'",
  "copy (select 1) to program 'cat /etc/shadow'",
]

let folder: string

beforeEach(async () => {
  folder = await makeDataFolder()
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

function forbid(name: 'unshare' | 'setpriv'): void {
  const programs = scratchFolder()
  writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} failed: Operation not permitted" >&2; exit 1\n`)
  chmodSync(join(programs, name), 0o755)
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

const WAYS = [
  { where: 'as this machine lets root run it', prepare: () => undefined, account: STRANGER, ownWay: true },
  { where: 'where namespaces are forbidden', prepare: () => forbid('unshare'), account: STRANGER, ownWay: true },
  { where: 'where root may not become another user', prepare: () => forbid('setpriv'), account: namespaceOf(0) },
]

describe.each(hasNamespaces ? WAYS : WAYS.slice(0, 2))('PostgreSQL, $where', ({ prepare, account, ownWay = false }) => {
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
    const address = await choosePrivateAddress(layout, cluster.account.server.owner)
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
    const notice = ownWay ? STRANGER.notice : expect.stringMatching(/keeps rights of root over files.* ordinary user/)
    expect(notices).toEqual(SELF === 0 ? [notice] : [])
    // Nothing was written through a link.
    expect([readFileSync(victim, 'utf8'), lstatSync(victim).uid]).toEqual(['untouched', SELF])
    expect([lstatSync(password).isFile(), lstatSync(password).mode & 0o777]).toEqual([true, 0o600])
    // And after a start in which it had to run in this way, it runs in the usual one.
    vi.unstubAllEnvs()
    await visit()
    expect(ownersOf(cluster)).toEqual([SELF === 0 ? STRANGER.server.owner : SELF])
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

it.each([
  // A namespace makes this user one without a name, too. Their files stay theirs.
  { who: 'a user without a name, who gets one in a namespace', number: 54_321 },
  { who: 'a root that is alone in its namespace and can give nothing away', number: 0 },
])('runs for $who', async ({ number }) => {
  const inside = ['--user', `--map-user=${number}`, `--map-group=${number}`, '--', process.execPath]
  const main = fileURLToPath(new URL('main.ts', import.meta.url))
  const child = spawn('unshare', [...inside, main, join(folder, 'inside')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const said = watchOutput(child.stdout)
  await Promise.race([said('database is ready'), once(child, 'exit')])
  expect(child.exitCode).toBe(hasNamespaces ? null : 1)
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
})

/** Resolves when it was printed. */
function watchOutput(stream: NodeJS.ReadableStream): (text: string) => Promise<void> {
  let output = ''
  return async (text) => {
    for await (const chunk of stream) if ((output += String(chunk)).includes(text)) return
  }
}

it('names the reasons and what to do where root can run it in no way', () => {
  forbid('unshare')
  const program = join(folder, 'programs', 'postgres-without-libraries')
  mkdirSync(dirname(program))
  writeFileSync(program, '#!/bin/sh\necho "no library" >&2; exit 127\n', { mode: 0o755 })
  const choose = () => chooseAccount(folder, program)
  if (SELF !== 0) expect(choose().server.prefix).toEqual([])
  else expect(choose).toThrow(/no other way either \(no library; .*not permitted\)\. Start Hearth as an ordinary/)
})

describe.runIf(SELF === 0)("the database's superuser, where PostgreSQL was started by root,", () => {
  /** What it answers to each attack. */
  async function attack(data: string): Promise<string[]> {
    const notices: string[] = []
    const store = await openStore(`embedded:${data}`, { onNotice: (text) => notices.push(text) })
    const { host, port } = readServerNote(folderLayout(data))!
    const login = { host, port, user: USER, database: DATABASE }
    const client = new Client({ ...login, password: readFileSync(folderLayout(data).password, 'utf8') })
    await client.connect()
    const answers: string[] = []
    for (const query of ATTACKS) answers.push(await client.query(query).then(() => `${query} worked`, messageOf))
    await client.end()
    await store.close()
    expect(notices).toEqual([STRANGER.notice])
    return answers
  }

  const failed = [
    expect.stringContaining('Permission denied'),
    expect.stringContaining('Permission denied'),
    expect.stringMatching(/program .* failed/),
    expect.stringMatching(/program .* failed/),
  ]

  it("reads and writes none of root's files", async () => {
    expect(await attack(folder)).toEqual(failed)
  })

  it('nor without namespaces, as in a container', async () => {
    forbid('unshare')
    expect(await attack(folder)).toEqual(failed)
  })

  it.runIf(mayMount)("nor in root's closed home, where PostgreSQL sees nothing but its own files", async () => {
    const home = join(folder, 'home')
    mkdirSync(home, { mode: 0o700 })
    writeFileSync(join(home, 'diary'), 'dear diary', { mode: 0o644 })
    const data = await makeDataFolder(join(home, 'data'))
    expect(await attack(data)).toEqual(failed)
    expect(statSync(home).mode & 0o777).toBe(0o700)
  })
})

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
