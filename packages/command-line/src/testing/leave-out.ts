// Tests that a machine cannot run are left out, and the last lines of the run list them.

import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/hearth/', import.meta.url))

/** The run continues without it, and its last lines say so. */
export function leaveOut(line: string): void {
  mkdirSync(CACHE, { recursive: true })
  appendFileSync(`${CACHE}left-out.txt`, `${line}\n`)
}
