// A made-up model in a temporary file, for tests that share it.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function makeModelFile(write: (path: string) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-model-'))
  const path = join(folder, 'model.gguf')
  write(path)
  return { path, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
