// Opens the database in a locked data folder, and creates it on the first start. A new database is created next to its final place and
// moved there when it is complete, so an interrupted first start leaves nothing half-finished.

import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { DURABLE_START, DurableFilesystem, syncFolder } from './durable-filesystem.ts'
import { folderLayout, type FolderLayout } from './folder-layout.ts'

export async function openDatabase(layout: FolderLayout): Promise<PGlite> {
  if (!existsSync(layout.database)) await makeDatabase(layout)
  const installed = installedVersion()
  checkVersion(readFileSync(layout.version, 'utf8').trim(), installed, layout)
  const database = await create(new DurableFilesystem(layout.data), DURABLE_START)
  writeFileSync(layout.version, installed)
  return database
}

async function makeDatabase(layout: FolderLayout): Promise<void> {
  const unfinished = folderLayout(`${layout.root}/unfinished`)
  rmSync(unfinished.root, { recursive: true, force: true })
  await mkdir(unfinished.database, { recursive: true, mode: 0o700 })
  // Without syncs, which would take seconds: everything is synced once, below.
  const database = await create(new DurableFilesystem(unfinished.data), PGlite.defaultStartParams)
  await database.close()
  writeFileSync(unfinished.version, installedVersion())
  syncTree(unfinished.database)
  renameSync(unfinished.database, layout.database)
  syncFolder(layout.root)
  rmSync(unfinished.root, { recursive: true, force: true })
}

async function create(fs: DurableFilesystem, startParams: string[]): Promise<PGlite> {
  // The library's error is always the same sentence; the reason is in the last lines it printed.
  const lines: string[] = []
  try {
    return await PGlite.create({ fs, startParams, onStderr: (line) => lines.push(line) > 0 })
  } catch (error) {
    const said = lines.filter((line) => /FATAL|PANIC|ERROR|HINT|DETAIL/.test(line)).slice(-4)
    throw said.length > 0 ? new Error(said.join('; ')) : error
  }
}

/** Versions 0.5.x can read each other's files; before 1.0, any other release may change the format. */
function checkVersion(found: string, installed: string, layout: FolderLayout): void {
  if (seriesOf(found) === seriesOf(installed)) return
  throw new Error(
    `The database in ${layout.root} was written by PGlite ${found}; this version of Hearth uses PGlite ${installed}, which cannot read it. ` +
      `Start the version of Hearth that wrote it, or move the folder away to start with an empty one`,
  )
}

function seriesOf(version: string): string {
  return version.split('.').slice(0, 2).join('.')
}

function installedVersion(): string {
  const manifest = findPackageJSON('@electric-sql/pglite', import.meta.url)
  if (manifest === undefined) throw new Error('Cannot find the package @electric-sql/pglite. Run: npm install')
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) syncFolder(path)
    else if (entry.isFile()) syncFile(path)
  }
  syncFolder(folder)
}

function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
