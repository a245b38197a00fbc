import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isAlive } from '@hearth/instances'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { takeFileLock } from '../../locks/file-lock.ts'
import { makeDataFolder } from '../../testing/data-folder.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import { readServerNote, type ServerNote } from './find-server.ts'
import { folderLayout, type FolderLayout } from './folder-layout.ts'
import { choosePrivateAddress } from './private-address.ts'

const WAIT = { timeout: 150_000, interval: 50 }
const OPEN_STORE = new URL('../open-store.ts', import.meta.url).href
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
/** Opens the store in a folder, prints a line, and keeps the store open until its input ends. */
const HOLDER = `
  const { openStore } = await import(${JSON.stringify(OPEN_STORE)})
  const store = await openStore('embedded:' + process.argv[1])
  console.log('open')
  for await (const _ of process.stdin);
  await store.createOrganization({ name: 'from the other process' })
  await store.close()
`

let folder: string
let layout: FolderLayout
let opened: Store[]
let processes: ChildProcess[]

async function prepare(): Promise<void> {
  folder = await makeDataFolder()
  layout = folderLayout(folder)
  opened = []
  processes = []
}

async function tidyUp(): Promise<void> {
  await Promise.allSettled(opened.map((store) => store.close()))
  for (const child of processes) child.kill('SIGKILL')
  await vi.waitFor(() => expect(serverProcess()).toBeUndefined(), WAIT)
  rmSync(folder, { recursive: true, force: true })
}

async function open(path = folder): Promise<Store> {
  const store = await openStore(`embedded:${path}`)
  opened.push(store)
  return store
}

async function holdElsewhere(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  processes.push(child)
  await once(child.stdout, 'data')
  return child
}

/** As the launcher runs it. */
async function keepElsewhere(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [MAIN, folder], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  processes.push(child)
  await once(child.stdout!, 'data')
  return child
}

function note(): ServerNote {
  return readServerNote(layout)!
}

/** The number of the PostgreSQL process, if it runs. */
function serverProcess(): number | undefined {
  const file = join(layout.cluster, 'postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n', 1)[0]) : undefined
  return pid !== undefined && isAlive(pid) ? pid : undefined
}

function isLocked(): boolean {
  const lock = takeFileLock(layout.lock)
  lock?.release()
  return lock === undefined
}

describe('the data folder, while it is open', () => {
  let store: Store

  beforeAll(async () => {
    await prepare()
    store = await open()
  })
  afterAll(tidyUp)

  it('is locked, and served on a private socket', () => {
    expect(isLocked()).toBe(true)
    const { host } = note()
    expect([host, statSync(host).mode & 0o777]).toEqual([layout.socketFolder, 0o700])
  })

  it('has a server without a port, which lets nobody in without the password, and syncs', async () => {
    const { host, port } = note()
    const login = { host, port, user: 'postgres', database: 'hearth' }
    await expect(new Client({ ...login, password: 'wrong' }).connect()).rejects.toThrow(
      /password authentication failed/,
    )
    const client = new Client({ ...login, password: readFileSync(layout.password, 'utf8') })
    await client.connect()
    const { rows } = await client.query(
      `select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
        current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages`,
    )
    await client.end()
    expect(rows).toEqual([{ addresses: '', fsync: 'on', commit: 'on', pages: 'on' }])
    expect(statSync(layout.password).mode & 0o777).toBe(0o600)
  })

  it('is shared with a second process through the first one, in both directions', async () => {
    const { pid } = note()
    const other = await holdElsewhere()
    expect(note().pid).toBe(pid)
    other.stdin?.end()
    await once(other, 'exit')
    expect((await store.listOrganizations()).map(({ name }) => name)).toEqual(['from the other process'])
  })

  it('keeps its server when a signal meant for the gateway reaches its keeper too', async () => {
    const { pid } = note()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
    expect(await store.listOrganizations()).toHaveLength(1)
    expect(note().pid).toBe(pid)
  })

  it('is free after closing', async () => {
    const { host } = note()
    await store.close()
    expect(isLocked()).toBe(false)
    expect([existsSync(layout.server), existsSync(host), serverProcess()]).toEqual([false, false, undefined])
  })
})

describe('the data folder', () => {
  beforeEach(prepare)
  afterEach(tidyUp)

  it.each([
    { where: '', temporary: tmpdir },
    { where: ', and so can the temporary folder', temporary: () => join(folder, 'y'.repeat(120)) },
  ])('can have a path that is too long for a socket$where', async ({ temporary }) => {
    const deep = join(folder, 'x'.repeat(120))
    for (const made of [deep, temporary()]) mkdirSync(made, { recursive: true })
    vi.stubEnv('TMPDIR', temporary())
    onTestFinished(() => void vi.unstubAllEnvs())
    renameSync(layout.cluster, folderLayout(deep).cluster)
    const store = await open(deep)
    expect(await store.listOrganizations()).toEqual([])
    const { host } = readServerNote(folderLayout(deep))!
    expect(statSync(host).mode & 0o777).toBe(0o700)
    await store.close()
    expect(existsSync(host)).toBe(false)
  })

  it('says what to do where no path is short enough for a socket', async () => {
    const deep = folderLayout(join(folder, 'x'.repeat(120)))
    mkdirSync(deep.root)
    await expect(choosePrivateAddress(deep, undefined, [() => mkdtempSync(join(deep.root, 'x'))])).rejects.toThrow(
      /path of .*x is too long.*Set TMPDIR.*or choose another folder: DATABASE_URL/,
    )
  })

  it('is taken over when the process that served it is killed', async () => {
    const other = await holdElsewhere()
    const [{ pid }, server] = [note(), serverProcess()]
    const store = await open()
    await store.createOrganization({ name: 'before' })
    other.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(server!)).toBe(false), WAIT)
    await vi.waitFor(() => store.createOrganization({ name: 'after' }), WAIT)
    expect(note().pid).not.toBe(pid)
    const names = (await store.listOrganizations()).map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set(['before', 'after']))
  })

  it('is served by the same process whichever gateways come and go, and by a waiting one when it is killed', async () => {
    const first = await keepElsewhere()
    const waiting = await keepElsewhere()
    const store = await open()
    await store.createOrganization({ name: 'before' })
    const server = serverProcess()!
    expect(note().pid).toBe(first.pid)
    first.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(server)).toBe(false), WAIT)
    await vi.waitFor(() => store.createOrganization({ name: 'after' }), WAIT)
    expect(note().pid).toBe(waiting.pid)
    await store.close()
    expect(note().pid).toBe(waiting.pid)
    waiting.kill('SIGTERM')
    expect(await once(waiting, 'exit')).toEqual([0, null])
    expect([isLocked(), serverProcess()]).toEqual([false, undefined])
  })

  it('loses its server when the parent of its keeper goes away', async () => {
    const left = await keepElsewhere()
    left.disconnect()
    expect(await once(left, 'exit')).toEqual([0, null])
    expect(serverProcess()).toBeUndefined()
  })

  it('opens although its password is lost, and another program has the number that its last server had', async () => {
    rmSync(layout.password)
    const lines = [1, layout.cluster, 0, 5432, layout.socketFolder, '', '', 'ready']
    writeFileSync(join(layout.cluster, 'postmaster.pid'), lines.join('\n'))
    expect(await (await open()).listOrganizations()).toEqual([])
  })

  it('is created on the first start, and from scratch after an interruption', async () => {
    const empty = join(folder, 'new')
    const first = spawn(process.execPath, [MAIN, empty], { stdio: 'ignore' })
    processes.push(first)
    await vi.waitFor(() => expect(globSync(join(empty, 'unfinished-*', 'postgres', 'base'))).not.toEqual([]), WAIT)
    first.kill('SIGKILL')
    await once(first, 'exit')
    expect(existsSync(folderLayout(empty).cluster)).toBe(false)
    const store = await open(empty)
    expect(await store.revisions()).toEqual({ keys: 1, models: 1, devices: 1 })
  })
})

describe('the data folder is rejected and left untouched', () => {
  beforeAll(prepare)
  afterAll(tidyUp)

  /** Opens the folder with another text in one of its files. */
  async function withText(file: string, text: string, check: () => Promise<void>): Promise<void> {
    const own = readFileSync(file, 'utf8')
    writeFileSync(file, text)
    await check()
    expect(readFileSync(file, 'utf8')).toBe(text)
    writeFileSync(file, own)
  }

  /** Opens the folder without something in it. */
  async function without(path: string, check: () => Promise<void>): Promise<void> {
    renameSync(path, `${path}-away`)
    await check()
    expect(existsSync(path)).toBe(false)
    renameSync(`${path}-away`, path)
  }

  it('when another version of the database wrote it', () =>
    withText(join(layout.cluster, 'PG_VERSION'), '14\n', () =>
      expect(open()).rejects.toThrow(/was written by PostgreSQL 14; .* has PostgreSQL \d+.*Start the version/),
    ))

  it('when a newer version of Hearth used it, also if it keeps its files elsewhere', () =>
    withText(layout.version, JSON.stringify({ layout: 1_000, hearth: '98.7.6' }), async () => {
      const isNewer = () =>
        expect(open()).rejects.toThrow(
          /newer version of Hearth has changed the files.*Start Hearth 98\.7\.6 or a later/,
        )
      await isNewer()
      // Not even an empty database appears beside what the newer version has.
      await without(layout.cluster, isNewer)
    }))

  it('with what to do when its database is incomplete', async () => {
    await without(join(layout.cluster, 'PG_VERSION'), () =>
      expect(open()).rejects.toThrow(/postgres has no file PG_VERSION.*Restore it from a backup, or move it away/),
    )
    await without(join(layout.cluster, 'global', 'pg_control'), () =>
      expect(open()).rejects.toThrow(/^Cannot open the database in .*: PostgreSQL did not start: postgres: /),
    )
  })

  it('with what to do when it holds the database of a version from before the first release', async () => {
    const [single, several] = [join(folder, 'single'), join(folder, 'several', 'gateway')]
    mkdirSync(join(single, 'database', 'pgdata'), { recursive: true })
    mkdirSync(join(several, '..', 'postgres', 'data'), { recursive: true })
    for (const old of [single, several]) {
      await expect(open(old)).rejects.toThrow(/before its first release.*move .* away to start with an empty database/)
      expect(existsSync(folderLayout(old).cluster)).toBe(false)
    }
  })

  it('with the reason and what to do when something is in its place', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'hearth-')), 'file')
    writeFileSync(file, '')
    await expect(open(file)).rejects.toThrow(
      /Cannot open the database in .*file: .* is a file, not a folder\. Move it away/,
    )
    await expect(open(join(file, 'folder'))).rejects.toThrow(/a part of the path .* is a file/)
    rmSync(dirname(file), { recursive: true })
  })

  it('until all of that is put right', async () => {
    expect(await (await open()).listOrganizations()).toEqual([])
  })
})
