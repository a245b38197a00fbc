// Lists the system's processes, in a way that works on every Unix.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export interface ListedProcess {
  pid: number
  parent: number
  command: string
}

/** Without zombie processes. */
export async function listProcesses(): Promise<ListedProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-e', '-ww', '-o', 'pid=,ppid=,stat=,args='])
  return stdout
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([pid, , state]) => pid !== '' && state?.startsWith('Z') === false)
    .map(([pid, parent, , ...command]) => ({ pid: Number(pid), parent: Number(parent), command: command.join(' ') }))
}

/** Children of a process, their children, and so on. */
export async function descendantsOf(pid: number): Promise<ListedProcess[]> {
  const all = await listProcesses()
  const below = (parent: number): ListedProcess[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)])
  return below(pid)
}
