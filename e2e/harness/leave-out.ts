// What a machine needs for some of the tests.

import { execFileSync, spawnSync } from 'node:child_process'
import { leaveOut } from '@hearth/command-line/testing/leave-out'

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
