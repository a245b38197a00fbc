import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { zstdDecompressSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it, vi } from 'vitest'
import { openStore } from '../open-store.ts'
import type { Store } from '../store.ts'
import { folderLayout, type FolderLayout } from './folder-layout.ts'

const WAIT = { timeout: 150_000, interval: 5 }
const MAIN = fileURLToPath(new URL('main.ts', import.meta.url))
/** A data folder that was written by the last version with PGlite. */
const OLD_FOLDER = fileURLToPath(new URL('old-pglite-folder.tar.zst', import.meta.url))

let unpacked: string
let data: string
let layout: FolderLayout
let notices: string[]

beforeAll(() => {
  unpacked = mkdtempSync(join(tmpdir(), 'hearth-old-'))
  execFileSync('tar', ['-xf', '-', '-C', unpacked], { input: zstdDecompressSync(readFileSync(OLD_FOLDER)) })
})
afterAll(() => rmSync(unpacked, { recursive: true }))
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'hearth-data-'))
  layout = folderLayout(join(data, 'gateway'))
  notices = []
})
afterEach(() => rmSync(data, { recursive: true, force: true }))

function bringOld(): void {
  cpSync(join(unpacked, 'gateway'), layout.root, { recursive: true })
}

function open(): Promise<Store> {
  return openStore(`embedded:${layout.root}`, { onNotice: (text) => notices.push(text) })
}

async function expectAllRows(store: Store): Promise<void> {
  const organizations = await store.listOrganizations()
  expect(organizations.map(({ name }) => name).toSorted()).toEqual(['Acme', 'Bakery – Ünïcode 🥖'])
  for (const { id: organization, name } of organizations) await expectOrganization(store, organization, name)
  expect(await store.revisions()).toEqual({ keys: 47, models: 27, devices: 11 })
  expect(await store.readGatewaySecret('cookies')).toBe('a secret')
  expect(await store.takeLinkEpochs(1)).toEqual([1235])
}

async function expectOrganization(store: Store, organization: string, name: string): Promise<void> {
  const [members, models, devices] = [
    await store.listMembers(organization),
    await store.listModels(organization),
    await store.listDevices(organization),
  ]
  expect(members.map((member) => member.name).toSorted()).toEqual(['A "member"', `Owner of ${name}`])
  expect([models.length, devices.length]).toEqual([12, 5])
  const keys = await store.accessKeys()
  const own = keys.filter((key) => key.organization === organization)
  expect(own.length).toBe(20)
  expect(own.filter((key) => key.models).every(({ models: only }) => only?.join() === 'a,b,"c"')).toBe(true)
  const [from, to] = [new Date('2026-11-01T00:00:00Z'), new Date('2026-12-01T00:00:00Z')]
  const usage = await store.listUsage({ organization, from, to })
  expect([usage.length, new Set(usage.map(({ promptTokens }) => promptTokens))]).toEqual([200, new Set([3e9])])
  expect((await store.listRequests({ organization, limit: 100 })).requests).toHaveLength(60)
  expect(await store.listAudit({ organization, limit: 500 })).not.toHaveLength(0)
}

describe('a folder of PGlite', () => {
  it('[T41] has all its rows in PostgreSQL after the first start, and is kept', async () => {
    bringOld()
    const store = await open()
    await expectAllRows(store)
    await store.close()
    expect(notices).toContainEqual(expect.stringMatching(/^Moved and compared \d+ rows of 28 tables$/))
    expect(notices).toContainEqual(expect.stringContaining(layout.movedPglite))
    expect([existsSync(join(layout.movedPglite, 'pgdata')), existsSync(layout.pglite)]).toEqual([true, false])
  })

  it('[T41] is moved from the beginning after an interruption, and set aside if only that was missing', async () => {
    bringOld()
    const moving = spawn(process.execPath, [MAIN, layout.root], { stdio: 'ignore' })
    const opened = `${layout.unfinished}*/pglite/pgdata/postmaster.pid`
    await vi.waitFor(() => expect(globSync(opened)).not.toEqual([]), WAIT)
    moving.kill('SIGKILL')
    await once(moving, 'exit')
    expect([existsSync(layout.cluster), existsSync(layout.pglite)]).toEqual([false, true])
    await (await open()).close()
    renameSync(layout.movedPglite, layout.pglite)
    const store = await open()
    await expectAllRows(store)
    await store.close()
    expect(existsSync(layout.movedPglite)).toBe(true)
  })
})

describe('the database of several gateways', () => {
  it('is used if the folder of a single gateway has none', async () => {
    await makeShared()
    const store = await open()
    expect((await store.listOrganizations()).map(({ name }) => name)).toEqual(['of several gateways'])
    await store.close()
    expect(notices).toContainEqual(expect.stringContaining('--gateways'))
  })

  it('is kept aside if the folder of a single gateway has one', async () => {
    await makeShared()
    bringOld()
    const store = await open()
    await expectAllRows(store)
    await store.close()
    expect(existsSync(join(`${layout.sharedHome}-not-used`, 'data', 'PG_VERSION'))).toBe(true)
  })

  /** As it was: in a folder of its own, without a password. */
  async function makeShared(): Promise<void> {
    const store = await open()
    await store.createOrganization({ name: 'of several gateways' })
    await store.close()
    mkdirSync(layout.sharedHome)
    renameSync(layout.cluster, join(layout.sharedHome, 'data'))
    rmSync(layout.root, { recursive: true })
  }
})
