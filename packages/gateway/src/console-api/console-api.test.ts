import { rmSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { makeDataFolder } from '../testing/data-folder.ts'
import { startPostgres, type TestPostgres } from '../testing/start-postgres.ts'
import { describeConsole } from './console-api.contract.ts'

let postgres: TestPostgres
let folder: string

beforeAll(async () => {
  ;[postgres, folder] = await Promise.all([startPostgres(), makeDataFolder()])
})
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
})

describeConsole('PGlite', async () => `pglite:${folder}`)
describeConsole('PostgreSQL', () => postgres.createDatabase())
