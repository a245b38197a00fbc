import { fork, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { takeFileLock } from '../../file-lock.ts'
import { makeDataFolder } from '../../testing/data-folder.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import { readServerNote } from './find-server.ts'
import { folderLayout, type FolderLayout } from './folder-layout.ts'

const WAIT = { timeout: 150_000, interval: 50 }
const OPEN_STORE = new URL('../open-store.ts', import.meta.url).href
/** Opens the store in a folder, prints a line, and keeps the store open until its input ends. */
const HOLDER = `
  const { openStore } = await import(${JSON.stringify(OPEN_STORE)})
  const store = await openStore('pglite:' + process.argv[1])
  console.log('open')
  for await (const _ of process.stdin);
  await store.createOrganization({ name: 'from the other process' })
  await store.close()
`

let folder: string
let layout: FolderLayout
let opened: Store[]
let processes: ChildProcess[]

async function setUp(): Promise<void> {
  folder = await makeDataFolder()
  layout = folderLayout(folder)
  opened = []
  processes = []
}

async function tearDown(): Promise<void> {
  await Promise.allSettled(opened.map((store) => store.close()))
  for (const child of processes) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}

async function open(path = folder): Promise<Store> {
  const store = await openStore(`pglite:${path}`)
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

function serverPid(): number {
  return readServerNote(layout)!.pid
}

function isLocked(): boolean {
  const lock = takeFileLock(layout.lock)
  lock?.release()
  return lock === undefined
}

describe('the data folder', () => {
  beforeEach(setUp)
  afterEach(tearDown)

  it('[T17] [T17a] [T17b] is locked while open, served on a private socket, and free after closing', async () => {
    const store = await open()
    expect(isLocked()).toBe(true)
    const note = readServerNote(layout)!
    expect(statSync(dirname(note.socket)).mode & 0o777).toBe(0o700)
    await store.close()
    expect(isLocked()).toBe(false)
    expect([existsSync(layout.server), existsSync(note.socket)]).toEqual([false, false])
  })

  it('[T17a] [T17b] can have a path that is too long for a socket', async () => {
    const deep = join(folder, 'x'.repeat(120))
    mkdirSync(deep)
    renameSync(layout.database, folderLayout(deep).database)
    const store = await open(deep)
    expect(await store.listOrganizations()).toEqual([])
    const { socket } = readServerNote(folderLayout(deep))!
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700)
    await store.close()
    expect(existsSync(dirname(socket))).toBe(false)
  })

  it('[T18] is shared with a second process through the first one, in both directions', async () => {
    const store = await open()
    const pid = serverPid()
    const other = await holdElsewhere()
    expect(serverPid()).toBe(pid)
    other.stdin?.end()
    await once(other, 'exit')
    expect((await store.listOrganizations()).map(({ name }) => name)).toEqual(['from the other process'])
  })

  it('[T18a] is taken over when the process that served it is gone', async () => {
    const other = await holdElsewhere()
    const pid = serverPid()
    const store = await open()
    await store.createOrganization({ name: 'before' })
    other.kill('SIGKILL')
    await vi.waitFor(() => expect(isLocked()).toBe(false), WAIT)
    await vi.waitFor(() => store.createOrganization({ name: 'after' }), WAIT)
    expect(serverPid()).not.toBe(pid)
    const names = (await store.listOrganizations()).map(({ name }) => name)
    expect(new Set(names)).toEqual(new Set(['before', 'after']))
  })

  it('[T19] loses its server immediately and without a trace when the gateway is killed', async () => {
    const other = await holdElsewhere()
    expect(isLocked()).toBe(true)
    other.kill('SIGKILL')
    await vi.waitFor(() => expect(isLocked()).toBe(false), WAIT)
    expect(existsSync(layout.server)).toBe(false)
  })

  it('[T19a] keeps its server when a signal meant for the gateway reaches it too', async () => {
    const store = await open()
    const pid = serverPid()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)
    expect(await store.listOrganizations()).toEqual([])
    expect(serverPid()).toBe(pid)
  })

  it('[T20a] loses no acknowledged row when its server is killed while writing', async () => {
    const store = await open()
    const { id: organization } = await store.createOrganization({ name: 'Acme' })
    const acknowledged: string[] = []
    for (let round = 0; round < 3; round++) {
      await writeUntilKilled(store, organization, acknowledged, round)
      const models = await vi.waitFor(() => store.listModels(organization), WAIT)
      expect(models.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged))
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(30)
  })

  it('[T21] is created on the first start, and from scratch after an interruption', async () => {
    const empty = join(folder, 'new')
    const first = fork(new URL('./server.ts', import.meta.url), [empty], { execArgv: [] })
    processes.push(first)
    await vi.waitFor(() => expect(existsSync(join(empty, 'unfinished'))).toBe(true), WAIT)
    first.kill('SIGKILL')
    await once(first, 'exit')
    const store = await open(empty)
    expect(await store.revisions()).toEqual({ keys: 1, models: 1, devices: 1 })
    expect(existsSync(join(empty, 'unfinished'))).toBe(false)
  })

  it('[T22] is rejected and left untouched when another version of the database wrote it', async () => {
    writeFileSync(layout.version, '0.4.9')
    await expect(open()).rejects.toThrow(/was written by PGlite 0\.4\.9; .* uses PGlite 0\.\d+\.\d+.*Start the version/)
    expect(readFileSync(layout.version, 'utf8')).toBe('0.4.9')
    writeFileSync(layout.version, '0.5.1')
    await (await open()).listOrganizations()
    expect(readFileSync(layout.version, 'utf8')).not.toBe('0.5.1')
  })

  it('[T23] is reported with the reason and what to do when something is in its place', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'hearth-')), 'file')
    writeFileSync(file, '')
    await expect(open(file)).rejects.toThrow(
      /Cannot open the database in .*file: .* is a file, not a folder\. Move it away/,
    )
    await expect(open(join(file, 'folder'))).rejects.toThrow(/a part of the path .* is a file/)
    rmSync(dirname(file), { recursive: true })
  })
})

/** Writes one model after another, several at a time, and kills the server along the way. */
async function writeUntilKilled(
  store: Store,
  organization: string,
  acknowledged: string[],
  round: number,
): Promise<void> {
  const pid = serverPid()
  const killAfter = acknowledged.length + 10 + round * 7
  let number = 0
  const write = async (): Promise<void> => {
    for (;;) {
      const name = `${round}-${number++}`
      await store.enableModel({ organization, name })
      acknowledged.push(name)
      if (acknowledged.length === killAfter) process.kill(pid, 'SIGKILL')
    }
  }
  await Promise.allSettled([write(), write(), write()])
}

describe('connections to the embedded database', () => {
  let clients: Client[]

  beforeAll(async () => {
    await setUp()
    await open()
  })
  afterAll(tearDown)
  beforeEach(async () => {
    clients = await Promise.all(Array.from({ length: 4 }, connect))
  })
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
  })

  async function connect(): Promise<Client> {
    const client = new Client({
      host: dirname(readServerNote(layout)!.socket),
      user: 'postgres',
      database: 'postgres',
      query_timeout: 150_000,
    })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }

  it('[T24] get their own responses, even after waiting for a transaction together', async () => {
    const [first, ...others] = clients
    for (let round = 0; round < 5; round++) {
      await first!.query('begin')
      const answers = others.map((client, number) => client.query(`select $1::int as answer${number}`, [round]))
      await first!.query('select 1')
      await first!.query('commit')
      const rows = (await Promise.all(answers)).map((answer) => answer.rows[0] as unknown)
      expect(rows).toEqual([{ answer0: round }, { answer1: round }, { answer2: round }])
    }
  })

  it('[T24] get their own responses to messages that arrive in many pieces', async () => {
    const answers = clients.map((client, number) => {
      const text = 'x'.repeat(1_000_000 + number)
      return client.query(`select length($1::text) as length${number}`, [text])
    })
    const rows = (await Promise.all(answers)).map((answer) => Object.values(answer.rows[0] as object))
    expect(rows).toEqual([[1_000_000], [1_000_001], [1_000_002], [1_000_003]])
  })

  it('[T24a] have their own prepared statements under the same name', async () => {
    for (let round = 0; round < 2; round++)
      for (const [number, client] of clients.entries()) {
        const { rows } = await client.query({ name: 'same', text: `select $1::int + ${number} as sum`, values: [10] })
        expect(rows).toEqual([{ sum: 10 + number }])
      }
    await Promise.all(clients.map((client) => client.end()))
    clients = [await connect()]
    const { rows } = await clients[0]!.query(
      `select count(*)::int as left from pg_prepared_statements where name like '%same'`,
    )
    expect(rows).toEqual([{ left: 0 }])
  })

  it('[T24c] roll back when a client goes away in the middle of a transaction', async () => {
    const [leaving, staying] = clients
    await leaving!.query('begin')
    await leaving!.query(`insert into organization (id, name, slug) values ('o', 'o', 'o')`)
    const waiting = staying!.query('select count(*)::int as count from organization')
    ;(leaving as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
    expect((await waiting).rows).toEqual([{ count: 0 }])
  })

  it('[T24e] keep working after an error', async () => {
    const [client, other] = clients
    await expect(client!.query('select $1::int / 0', [1])).rejects.toThrow(/division by zero/)
    await expect(client!.query('selct 1')).rejects.toThrow(/syntax error/)
    expect((await client!.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect((await other!.query('select 2 as two')).rows).toEqual([{ two: 2 }])
  })
})
