import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDataFolder } from '../testing/data-folder.ts'
import { startPostgres, type TestPostgres } from '../testing/start-postgres.ts'
import { describeJoining } from './contract/joining.contract.ts'
import { describePeople } from './contract/people.contract.ts'
import { describeRecords } from './contract/records.contract.ts'
import { openStore } from './open-store.ts'
import { describeStore } from './store.contract.ts'

let postgres: TestPostgres
let folder: string

beforeAll(async () => {
  ;[postgres, folder] = await Promise.all([startPostgres(), makeDataFolder()])
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

describeStore('PGlite', () => openStore(`pglite:${folder}`))
describeStore('PostgreSQL', async () => openStore(await postgres.createDatabase()))
for (const describeMore of [describePeople, describeJoining, describeRecords]) {
  describeMore('PGlite', () => openStore(`pglite:${folder}`))
  describeMore('PostgreSQL', async () => openStore(await postgres.createDatabase()))
}

describe('opening a store on PostgreSQL', () => {
  it('[T15] migrates an empty database once when several processes start together', async () => {
    const url = await postgres.createDatabase()
    const stores = await Promise.all(Array.from({ length: 3 }, () => openStore(url)))
    const revisions = await Promise.all(stores.map((store) => store.revisions()))
    expect(revisions).toEqual(Array.from({ length: 3 }, () => ({ keys: 1, models: 1, devices: 1 })))
    await Promise.all(stores.map((store) => store.close()))
  })

  it('[T16] says what cannot be reached, without the password', async () => {
    const refused = openStore('postgres://hearth:geheim@127.0.0.1:1/hearth')
    await expect(refused).rejects.toMatchObject({ name: 'StoreError', code: 'unavailable' })
    await expect(refused).rejects.toThrow(/cannot be reached \(ECONNREFUSED\).*DATABASE_URL/)
    await expect(refused).rejects.not.toThrow(/geheim/)
  })

  it('[T16] says what a URL looks like, without the password', async () => {
    await expect(openStore('mysql://hearth:geheim@db/hearth')).rejects.toThrow(/pglite:<folder> or postgres:\/\//)
    await expect(openStore('mysql://hearth:geheim@db/hearth')).rejects.not.toThrow(/geheim/)
  })
})
