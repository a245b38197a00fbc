// A checkout whose gateway passes other messages: its sources are copied, and everything else is this repository's.

import { cp, mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { removeFolder } from '../harness/remove-folder.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MESSAGES = 'packages/gateway/src/fleet/terms/messages.ts'

export async function copyGateway(
  editMessages: (text: string) => string,
): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-other-version-'))
  await mkdir(join(folder, 'packages'))
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  await cp(join(ROOT, 'packages/gateway'), join(folder, 'packages/gateway'), { recursive: true })
  const file = join(folder, MESSAGES)
  await writeFile(file, editMessages(await readFile(file, 'utf8')))
  return { folder, [Symbol.asyncDispose]: () => removeFolder(folder) }
}
