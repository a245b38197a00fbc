// Reads a database of PGlite, which earlier versions of Hearth used. Nothing else does.

import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

export interface OldDatabase {
  query<Row>(statement: string): Promise<Row[]>
  run(statements: string): Promise<void>
  close(): Promise<void>
}

export async function openPglite(folder: string): Promise<OldDatabase> {
  const found = readFileSync(join(folder, 'pglite-version'), 'utf8').trim()
  const installed = installedVersion()
  // Before 1.0, any other series may have another format.
  if (seriesOf(found) !== seriesOf(installed))
    throw new Error(
      `it was written by PGlite ${found}, and this version of Hearth reads only those of PGlite ${seriesOf(installed)}. Start the version of ` +
        `Hearth that wrote it, or move the folder away to start with an empty database`,
    )
  const database = await PGlite.create(join(folder, 'pgdata'))
  return {
    query: async (statement) => (await database.query<never>(statement)).rows,
    run: async (statements) => void (await database.exec(statements)),
    close: () => database.close(),
  }
}

function seriesOf(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}

function installedVersion(): string {
  const manifest = findPackageJSON('@electric-sql/pglite', import.meta.url)
  if (manifest === undefined) throw new Error('the package @electric-sql/pglite is missing. Run: npm ci')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}
