// Tests that a machine cannot run are left out, and the last lines of the run list them.

import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CACHE = fileURLToPath(new URL('../../node_modules/.cache/hearth/', import.meta.url))

/** If the program is not installed, records what is left out and returns false. */
export function isInstalled(program: string, flag: string, what: string): boolean {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' })
    return true
  } catch {
    leaveOut(`${what}: ${program} is not installed`)
    return false
  }
}

/** If the system is another one, records what is left out and returns false. */
export function isLinux(what: string): boolean {
  if (process.platform === 'linux') return true
  leaveOut(`${what}: this is not Linux`)
  return false
}

/** If this user may not mount anything (only root may, and not in most containers), records what is left out and returns false. */
export function mayMount(what: string): boolean {
  if (spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0) return true
  leaveOut(`${what}: this user may not mount anything here`)
  return false
}

/** The run continues without it, and its last lines say so. */
export function leaveOut(line: string): void {
  mkdirSync(CACHE, { recursive: true })
  appendFileSync(`${CACHE}left-out.txt`, `${line}\n`)
}
