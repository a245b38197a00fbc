// Asks the system what a process does: how much CPU time it has used, and whether it wants more.

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import type { Activity } from './patience.ts'

/** While a part starts, what it has started works for it too. Later only its event loop counts, which is its main thread. */
export type Extent = 'tree' | 'main thread'

interface Row {
  pid: number
  parent: number
  state: string
  cpuMs: number
}

/** As getconf CLK_TCK says on every Linux that Node runs on. */
const TICK_MS = 10
const ASK_MS = 10_000
/** Running or waiting for a core, and waiting for the disk. */
const EAGER = /^[RDU]/

/** Undefined if the process has ended, or if the system doesn't say. */
export async function readActivity(pid: number, extent: Extent): Promise<Activity | undefined> {
  try {
    const rows = await readRows(pid, extent)
    const counted = extent === 'tree' ? treeOf(pid, rows) : rows.filter((row) => row.pid === pid)
    if (counted.length === 0) return undefined
    const cpuMs = counted.reduce((sum, row) => sum + row.cpuMs, 0)
    return { at: performance.now(), cpuMs, isEager: counted.some(({ state }) => EAGER.test(state)) }
  } catch {
    return undefined
  }
}

async function readRows(pid: number, extent: Extent): Promise<Row[]> {
  if (process.platform === 'win32') return [await askWindows(pid)]
  if (process.platform !== 'linux') return askPs()
  return extent === 'main thread' ? [readStat(`${pid}/task/${pid}`)] : listLinux()
}

function treeOf(pid: number, rows: readonly Row[]): Row[] {
  const children = rows.filter(({ parent }) => parent === pid).flatMap((row) => treeOf(row.pid, rows))
  return [...rows.filter((row) => row.pid === pid), ...children]
}

function listLinux(): Row[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.flatMap((pid) => {
    try {
      return [readStat(pid)]
    } catch {
      // It has just ended.
      return []
    }
  })
}

function readStat(place: string): Row {
  const text = readFileSync(`/proc/${place}/stat`, 'utf8')
  // The program's name is in parentheses, and may contain anything.
  const [state = '', parent, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // utime, stime, and those of children that have ended.
  const ticks = rest.slice(9, 13).reduce((sum, value) => sum + Number(value), 0)
  return { pid: Number.parseInt(text, 10), parent: Number(parent), state, cpuMs: ticks * TICK_MS }
}

/** For macOS, where it counts all threads of a process. */
export async function askPs(): Promise<Row[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,state=,time='], {
    timeout: ASK_MS,
    env: { ...process.env, LC_ALL: 'C' },
  })
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent, state = '', time = ''] = line.trim().split(/\s+/)
      return { pid: Number(pid), parent: Number(parent), state, cpuMs: parseTime(time) }
    })
}

/** `3:07.25`, `01:03:07` or `2-01:03:07`. */
export function parseTime(time: string): number {
  const [clock = '', days = '0'] = time.split('-').toReversed()
  const seconds = clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
  return Math.round((Number(days) * 86_400 + seconds) * 1_000)
}

async function askWindows(pid: number): Promise<Row> {
  const question = `(Get-Process -Id ${pid}).TotalProcessorTime.TotalMilliseconds.ToString([cultureinfo]::InvariantCulture)`
  const { stdout } = await promisify(execFile)('powershell.exe', ['-NoProfile', '-Command', question], {
    timeout: ASK_MS,
    windowsHide: true,
  })
  const cpuMs = Number(stdout.trim() || Number.NaN)
  if (Number.isNaN(cpuMs)) throw new Error('Windows did not say')
  return { pid, parent: 0, state: '', cpuMs }
}
