// Both kinds of databases, for tests that have to pass on each.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { makeDataFolder } from './data-folder.ts'
import { startPostgres, type TestPostgres } from './start-postgres.ts'

export interface TestDatabase {
  name: 'the embedded database' | 'PostgreSQL'
  /** Creates an empty database and returns its URL. */
  create: () => Promise<string>
}

/** Starts the databases before the tests of a file and removes them afterwards. Call it at the top level. */
export function useDatabases(): readonly [embedded: TestDatabase, postgres: TestDatabase] {
  let server: TestPostgres
  const folders: string[] = []
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(async () => {
    await server.stop()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })
  const createFolder = async () => {
    const folder = await makeDataFolder()
    folders.push(folder)
    return `embedded:${folder}`
  }
  return [
    { name: 'the embedded database', create: createFolder },
    { name: 'PostgreSQL', create: () => server.createDatabase() },
  ]
}
