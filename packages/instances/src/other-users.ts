// Other people's Hearths on this machine. Their folders are closed to us, but everyone may see which processes run.

import { execFileSync } from 'node:child_process'
import { HEARTH_COMMAND } from './process-identity.ts'

const ASK_MS = 2_000
const PROCESS = /^ *(\d+) +(\d+) +(.*)/

/** A sentence about those that other users run; undefined if nobody does, or if the system doesn't say. */
export function describeOthers(): string | undefined {
  const own = process.getuid?.()
  const others = listLaunchers().filter(({ uid }) => uid !== own)
  if (others.length === 0) return undefined
  const named = others.map(({ pid, uid }) => `${userName(uid)} (process ID ${pid})`).join(' and ')
  return `Another user runs Hearth on this machine: ${named}. To manage it, run this command as that user. To use it, ask them for its address and an API key`
}

function listLaunchers(): { pid: number; uid: number }[] {
  if (process.platform === 'win32') return []
  return ask('ps', ['-A', '-ww', '-o', 'pid=,uid=,args='])
    .split('\n')
    .flatMap((line) => {
      const [, pid, uid, command = ''] = PROCESS.exec(line) ?? []
      return !HEARTH_COMMAND.test(command) ? [] : { pid: Number(pid), uid: Number(uid) }
    })
}

function userName(uid: number): string {
  return ask('id', ['-un', String(uid)]).trim() || `user ${uid}`
}

/** Empty if the program isn't there or fails. */
function ask(program: string, words: readonly string[]): string {
  try {
    return execFileSync(program, words, { encoding: 'utf8', timeout: ASK_MS, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    return ''
  }
}
