// A temporary folder for one test, deleted when the test is over.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export function scratchFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hearth-test-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}
