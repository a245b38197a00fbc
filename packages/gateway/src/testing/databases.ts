// Both kinds of databases, for tests that have to pass on each.

import { rmSync } from 'node:fs'
import { afterAll, beforeAll } from 'vitest'
import { makeDataFolder } from './data-folder.ts'
import { startPostgres, type TestPostgres } from './start-postgres.ts'

export interface TestDatabase {
  name: 'the embedded database' | 'PostgreSQL'
  /** Creates a database with all tables and no rows, and returns its URL. */
  create: () => Promise<string>
}

export interface TestServer extends TestDatabase {
  /** Creates a database without tables. */
  createBare: () => Promise<string>
}

/** Starts the databases before the tests of a file and removes them afterwards. Call it at the top level. */
export function useDatabases(): readonly [embedded: TestDatabase, postgres: TestServer] {
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
    {
      name: 'PostgreSQL',
      create: () => server.createDatabase(),
      createBare: () => server.createDatabase('nothing'),
    },
  ]
}
