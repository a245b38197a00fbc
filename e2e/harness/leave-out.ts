// What a machine cannot run is left out of a run, and the run's last lines say so.

import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/hearth/', import.meta.url))

/** False, after noting what is left out, when this program is not installed. */
export function isInstalled(program: string, flag: string, what: string): boolean {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' })
    return true
  } catch {
    mkdirSync(CACHE, { recursive: true })
    appendFileSync(`${CACHE}left-out.txt`, `${what}: ${program} is not installed\n`)
    return false
  }
}
