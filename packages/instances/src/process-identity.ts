// Tells a process from a later one with the same ID: process IDs are used again, after a restart of the machine even soon.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

export interface RunningProcess {
  pid: number
  /** When the system started it, in the system's own words. Empty if the system doesn't say. */
  processStart: string
}

export function identifyProcess(pid: number): RunningProcess {
  return { pid, processStart: readStart(pid) }
}

export function isRunning({ pid, processStart }: RunningProcess): boolean {
  return isAlive(pid) && readStart(pid) === processStart
}

/** Doesn't check which program it is. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM means that the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** `npm start` and `hearth start`, not the shell that npm runs them in. The folder of Node may have spaces in its path. */
export const HEARTH_COMMAND = /^(?:\/.*\/|\S*\b)node .*packages[\\/]hearth[\\/]src[\\/]main\.ts start\b/

/** `hearth-device start`, in a checkout or as a gateway hands it out, with its options. */
const DEVICE_COMMAND = /^(?:\/.*\/|\S*\b)node .*[\\/]src[\\/]main\.[jt]s (.* )?start\b/

/** Whether it runs Hearth, or only a device of it, and as this user. */
export function isHearthOf(pid: number, uid: number, kind: 'hearth' | 'gateway' | 'device'): boolean {
  try {
    const { owner, command } = process.platform === 'linux' ? readLinuxProcess(pid) : readProcess(pid)
    return owner === uid && (kind === 'device' ? DEVICE_COMMAND : HEARTH_COMMAND).test(command)
  } catch {
    // It ended just now, or the system doesn't say.
    return false
  }
}

function readLinuxProcess(pid: number): { owner: number; command: string } {
  const [, owner] = /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { owner: Number(owner), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }
}

function readProcess(pid: number): { owner: number; command: string } {
  const said = execFileSync('ps', ['-ww', '-o', 'uid=,args=', '-p', String(pid)], { encoding: 'utf8' })
  const [, owner, command = ''] = /^\s*(\d+)\s+(.*)/.exec(said) ?? []
  return { owner: Number(owner), command }
}

/** Windows only tells through PowerShell, which takes a second, so there the process ID has to do. */
function readStart(pid: number): string {
  try {
    if (process.platform === 'linux') return readLinuxStart(pid)
    if (process.platform === 'win32') return ''
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } }).trim()
  } catch {
    // It ended just now.
    return ''
  }
}

/** Clock ticks since the machine started, and which start of the machine that was. */
function readLinuxStart(pid: number): string {
  // The program's name comes first, in parentheses, and may contain anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')
  return `${fields[19]} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`
}
