// A PostgreSQL with a database for each test. The embedded database is the same server; only how it is started differs.

import { afterAll, beforeAll } from 'vitest'
import { startPostgres, type TestPostgres } from './start-postgres.ts'

/** Starts the server before the tests of a file and removes it afterwards. Call it at the top level. */
export function usePostgres(): Pick<TestPostgres, 'createDatabase'> {
  let server: TestPostgres
  beforeAll(async () => {
    server = await startPostgres()
  })
  afterAll(() => server.stop())
  return { createDatabase: (content) => server.createDatabase(content) }
}
