import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createKey } from '../../access/secrets/secrets.ts'
import { KEY_FILE } from '../../access/keyring/key-source.ts'
import { admin } from '../../testing/admin-command.ts'
import { makeDataFolder } from '../../testing/data-folder.ts'
import { dumpRows } from '../../testing/dump.ts'
import { startPostgres, type TestPostgres } from '../../testing/start-postgres.ts'
import { backUpInProcess } from '../../upkeep/backup-process.ts'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

/** Written by 0.1.0. Later versions have to read it. */
const GOLDEN = fileURLToPath(new URL('./golden-0.1.0.backup', import.meta.url))
const OWNER = { email: 'ann@acme.test', name: 'Ann "the\n☕" Lee \\ ' }

let postgres: TestPostgres
let folder: string
beforeAll(async () => {
  postgres = await startPostgres()
  folder = mkdtempSync(join(tmpdir(), 'hearth-backup-'))
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

let count = 0
const newFile = () => join(folder, `${++count}.backup`)

async function fill(store: Store): Promise<string> {
  const { id: organization } = await store.createOrganization({ name: 'Acme', owner: OWNER })
  await store.enableModel({ organization, name: 'qwen3:8b' })
  const [owner] = await store.listMembers(organization)
  const { digest, hint } = createKey()
  const { id: key } = await store.createKey({ organization, createdBy: owner!.person, digest, hint, name: 'laptop' })
  const hours = Array.from({ length: 1_200 }, (_, hour) => new Date(hour * 3_600_000))
  const counts = { requests: 1, errors: 0, promptTokens: 2 ** 40, completionTokens: 3, waitMs: 0.1, busyMs: 12.345 }
  await store.addUsage(hours.map((hour) => ({ hour, organization, key, model: 'qwen3:8b', device: 'none', ...counts })))
  return organization
}

async function filledDatabase(): Promise<string> {
  const url = await postgres.createDatabase()
  const store = await openStore(url)
  await fill(store)
  await store.close()
  return url
}

const sorted = async (url: string) => (await dumpRows(url)).toSorted()
const withoutMigrations = async (url: string) => (await sorted(url)).filter((row) => !/^\(\d+,[0-9a-f]{64},/.test(row))

describe('backup', () => {
  it('brings back every row of every table, with or without empty tables there, and goes on where the old one stopped', async () => {
    const url = await filledDatabase()
    const file = newFile()
    const { rows, bytes } = await writeBackup(url, file)
    expect(bytes).toBe(statSync(file).size)
    for (const content of ['nothing', 'tables'] as const) {
      const target = await postgres.createDatabase(content)
      expect((await restoreBackup(target, file)).rows).toBe(rows)
      expect(await withoutMigrations(target)).toStrictEqual(await withoutMigrations(url))
      const store = await openStore(target)
      const [organization] = await store.listOrganizations()
      const before = await store.revisions()
      // Its entry in the audit log needs a new number, and the triggers have to be on again.
      await store.enableModel({ organization: organization!.id, name: 'another' })
      expect((await store.revisions()).models).toBeGreaterThan(before.models)
      await store.close()
    }
  })

  it('holds what was true at one moment, while others write', async () => {
    const url = await filledDatabase()
    const store = await openStore(url)
    const over = new AbortController()
    const writing = (async () => {
      for (let number = 0; !over.signal.aborted; number++)
        await store.createOrganization({ name: `More ${number}`, owner: { email: `${number}@acme.test`, name: 'Max' } })
    })()
    const files = [newFile(), newFile(), newFile()]
    for (const file of files) await writeBackup(url, file)
    over.abort()
    await writing
    await store.close()
    for (const file of files) {
      const tables = Object.groupBy(readRows(file), ({ table }) => table)
      // Each organization came with its owner in one transaction.
      expect(tables['member']).toHaveLength(tables['organization']!.length)
      expect(tables['person']).toHaveLength(tables['organization']!.length)
    }
  })

  it('can be read by its owner only, replaces no file, and leaves nothing half done', async () => {
    const url = await filledDatabase()
    const file = newFile()
    await writeBackup(url, file)
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
    const before = readFileSync(file)
    await expect(writeBackup(url, file)).rejects.toThrow(`Cannot back up to ${file}: there is such a file already`)
    expect(readFileSync(file).equals(before)).toBe(true)
    const empty = await postgres.createDatabase('nothing')
    await expect(writeBackup(empty, newFile())).rejects.toThrow('holds nothing of Hearth yet')
    expect(readdirSync(folder).filter((name) => name.endsWith('.unfinished'))).toStrictEqual([])
  })
})

it('a backup that is killed leaves no file of its name, and nothing that restores', async () => {
  const url = await filledDatabase()
  const file = newFile()
  const [others, watcher] = [new Client(url), new Client(url)]
  await others.connect()
  await watcher.connect()
  // The backup gets as far as this table.
  await others.query('begin; lock table usage_hour in access exclusive mode')
  const killed = new AbortController()
  const backup = backUpInProcess(url, file, killed.signal)
  const waits = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  while ((await watcher.query(waits)).rowCount === 0);
  killed.abort()
  await expect(backup).rejects.toThrow('aborted')
  await others.query('rollback')
  await others.end()
  await watcher.end()
  expect(existsSync(file)).toBe(false)
  const [left] = readdirSync(folder).filter((name) => name.endsWith('.unfinished'))
  await expect(restoreBackup(await postgres.createDatabase('nothing'), join(folder, left!))).rejects.toThrow(/complete/)
  rmSync(join(folder, left!))
  await backUpInProcess(url, file)
  expect((await restoreBackup(await postgres.createDatabase('nothing'), file)).rows).toBeGreaterThan(1_200)
})

describe('restore', () => {
  it('rejects a file that is damaged, cut or something else, and leaves the database empty', async () => {
    const url = await filledDatabase()
    const file = newFile()
    await writeBackup(url, file)
    const text = zstdDecompressSync(readFileSync(file)).toString()
    const lines = text.trimEnd().split('\n')
    const bad: [string | Buffer, RegExp][] = [
      [zstdCompressSync(text.replace('laptop', 'laptoq')), /it is damaged/],
      [zstdCompressSync(lines.slice(0, -1).join('\n') + '\n'), /it is not complete/],
      [zstdCompressSync([...lines.slice(0, 60), ...lines.slice(61)].join('\n') + '\n'), /it is damaged/],
      [readFileSync(file).subarray(0, statSync(file).size / 2), /it is not a complete backup|it is not complete/],
      [zstdCompressSync('{"a":1}\n'), /it is not a backup of Hearth/],
      ['just a text', /it is not a complete backup of Hearth/],
      ['', /it is not a complete backup of Hearth/],
      [zstdCompressSync(text.replace('"hearth backup",1', '"hearth backup",9')), /cannot read/],
      [zstdCompressSync(text.replace(/"schema":\d+/, '"schema":9999999999999')), /a newer version of Hearth/],
    ]
    const target = await postgres.createDatabase('nothing')
    const broken = newFile()
    for (const [content, message] of bad) {
      writeFileSync(broken, content)
      await expect(restoreBackup(target, broken)).rejects.toThrow(message)
      expect(await dumpRows(target)).toStrictEqual([])
    }
    await expect(restoreBackup(target, join(folder, 'missing'))).rejects.toThrow('there is no such file')
    await restoreBackup(target, file)
  })

  it('brings back nothing that lets somebody in for a while: no session, half a sign-in, link, code or token', async () => {
    const url = await postgres.createDatabase()
    const store = await openStore(url)
    const organization = await fill(store)
    const expiresAt = new Date(Date.now() + 3_600_000)
    await store.createInvitation({ organization, role: 'admin', digest: 'invitation', expiresAt })
    await store.createEnrolment({ organization, digest: 'enrolment', expiresAt })
    await store.createSetUpLink({ digest: 'set-up', expiresAt })
    const [owner] = await store.listMembers(organization)
    const { digest, hint } = createKey()
    const playground = { organization, createdBy: owner!.person, digest, hint, session: 's1', expiresAt }
    await store.createKey({ ...playground, name: 'Playground' })
    await store.close()
    const sessions = `insert into session (id, token, person_id, expires_at) select 's1', 'digest', id, now() + '1 day' from person`
    const attempts = `insert into verification (id, identifier, value, expires_at) values ('v1', 'digest', 'who', now() + '1 day')`
    await ask(url, sessions)
    await ask(url, attempts)
    const file = newFile()
    await writeBackup(url, file)
    const target = await postgres.createDatabase('nothing')
    await restoreBackup(target, file)
    for (const table of ['session', 'verification', 'set_up_link', 'device_code', 'enrolment', 'invitation'])
      expect([table, await ask(target, `select * from ${table}`)]).toEqual([table, []])
    const keys = 'select session_id as session, revoked_at is null as works from api_key order by 1 nulls first'
    expect(await ask(target, keys)).toEqual([
      { session: null, works: true },
      { session: 's1', works: false },
    ])
  })

  it('rejects a database that is in use', async () => {
    const url = await filledDatabase()
    const before = await sorted(url)
    await expect(restoreBackup(url, GOLDEN)).rejects.toThrow('this database is in use')
    const said = await admin({ DATABASE_URL: url }, 'restore', GOLDEN)
    expect(said).toMatchObject({ code: 1, error: expect.stringContaining('this database is in use') })
    expect(await sorted(url)).toStrictEqual(before)
    const served = await postgres.createDatabase()
    const gateway = await openStore(served)
    await expect(restoreBackup(served, GOLDEN)).rejects.toThrow('Stop it first')
    await gateway.close()
  })

  it('reads what earlier versions wrote', async () => {
    const target = await postgres.createDatabase('nothing')
    const { head } = await restoreBackup(target, GOLDEN)
    expect(head.hearth).toBe('0.1.0')
    const store = await openStore(target)
    const [organization] = await store.listOrganizations()
    expect(organization?.name).toBe('Acme')
    expect(await store.listMembers(organization!.id)).toMatchObject([{ ...OWNER, role: 'owner' }])
    expect(await store.listKeys(organization!.id)).toMatchObject([{ name: 'laptop' }])
    await store.close()
  })
})

describe('hearth admin backup and restore', () => {
  it('move everything from the embedded database to PostgreSQL and back, with the key if asked', async () => {
    const data = await makeDataFolder(mkdtempSync(join(folder, 'data-')))
    const embedded = { DATABASE_URL: `embedded:${data}` }
    writeFileSync(join(data, KEY_FILE), 'the-key-of-this-folder\n')
    const store = await openStore(embedded.DATABASE_URL)
    await fill(store)
    await store.close()
    const [first, second] = [newFile(), newFile()]
    const backedUp = await admin(embedded, 'backup', '--with-key', first)
    expect(backedUp.out).toMatch(/^Backed up 1,\d{3} rows to .*\.backup \(\d/)
    const target = await postgres.createDatabase('nothing')
    const moved = await admin({ DATABASE_URL: target }, 'restore', first)
    expect(moved.out).toContain(
      'Start the gateways with this SESSION_SECRET, which came with it:\n  the-key-of-this-folder',
    )
    await admin({ DATABASE_URL: target }, 'backup', second)
    const back = join(folder, 'back')
    const returned = await admin({}, 'restore', second, '--data', back)
    expect(returned.out).toContain(`Put the key back as ${join(back, 'gateway', KEY_FILE)}`)
    expect(existsSync(join(back, 'gateway', KEY_FILE))).toBe(false)
    await admin({}, 'restore', first, '--data', join(folder, 'keyed'))
    expect(readFileSync(join(folder, 'keyed', 'gateway', KEY_FILE), 'utf8')).toBe('the-key-of-this-folder\n')
    const third = newFile()
    await admin({}, 'backup', third, '--data', back)
    expect(readRows(third)).toStrictEqual(readRows(first))
  })

  it('say what is wrong', async () => {
    expect(await admin({}, 'restore', GOLDEN)).toMatchObject({
      code: 2,
      error: expect.stringContaining('Name an empty data folder with --data'),
    })
    const url = await filledDatabase()
    expect(await admin({ DATABASE_URL: url }, 'backup', '--with-key', newFile())).toMatchObject({
      code: 2,
      error: expect.stringContaining('There is no key to include'),
    })
  })
})

async function ask(url: string, question: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query(question)
  await client.end()
  return rows as unknown[]
}

function readRows(file: string): { table: string; row: string }[] {
  let table = ''
  return zstdDecompressSync(readFileSync(file))
    .toString()
    .trimEnd()
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('{')) return [{ table, row: line }]
      const [kind, name] = JSON.parse(line) as [string, string]
      if (kind === 'table') table = name
      return []
    })
}
