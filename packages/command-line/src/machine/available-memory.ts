// How much memory programs can still take on this machine. "Free" memory is much less: systems fill it with copies of files, which they give
// up when a program needs the room. A container may have less than its machine.

import { execFileSync } from 'node:child_process'
import { freemem, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { readText } from '../files/read-text.ts'

export interface MemoryState {
  total: number
  available: number
}

/** Where the system's answers come from. */
export interface MemoryWorld {
  platform: NodeJS.Platform
  /** The text of a file; undefined if there is none. */
  read: (path: string) => string | undefined
  /** The output of a command; undefined if it fails. */
  run: (command: string) => string | undefined
  total: () => number
  free: () => number
}

const ASK_MS = 5_000

const THIS_MACHINE: MemoryWorld = {
  platform: process.platform,
  read: readText,
  run: (command) => attempt(() => execFileSync(command, { encoding: 'utf8', timeout: ASK_MS })),
  total: totalmem,
  free: freemem,
}

export function availableMemory(world: MemoryWorld = THIS_MACHINE): MemoryState {
  const machine = machineMemory(world)
  const limits = world.platform === 'linux' ? containerLimits(world) : []
  return {
    total: Math.min(machine.total, ...limits.map(({ total }) => total)),
    available: Math.max(0, Math.min(machine.available, ...limits.map(({ available }) => available))),
  }
}

function machineMemory(world: MemoryWorld): MemoryState {
  const total = world.total()
  if (world.platform === 'linux') return { total, available: linuxAvailable(world) ?? world.free() }
  if (world.platform === 'darwin') return { total, available: Math.min(total, macAvailable(world) ?? world.free()) }
  // Windows counts the memory that it can take back as free.
  return { total, available: world.free() }
}

function linuxAvailable({ read }: MemoryWorld): number | undefined {
  const kibibytes = /^MemAvailable:\s+(\d+) kB/m.exec(read('/proc/meminfo') ?? '')?.[1]
  return kibibytes === undefined ? undefined : Number(kibibytes) * 1024
}

/** Inactive, speculative and purgeable pages hold copies that macOS can drop. */
function macAvailable({ run }: MemoryWorld): number | undefined {
  const text = run('vm_stat') ?? ''
  const pageBytes = Number(/page size of (\d+) bytes/.exec(text)?.[1])
  const pages = ['free', 'inactive', 'speculative', 'purgeable'].map((kind) =>
    Number(new RegExp(`^Pages ${kind}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0),
  )
  const bytes = pages.reduce((sum, count) => sum + count, 0) * pageBytes
  return bytes > 0 ? bytes : undefined
}

/** The limits of this process's control group and of those around it. */
function containerLimits(world: MemoryWorld): MemoryState[] {
  const lines = (world.read('/proc/self/cgroup') ?? '').split('\n')
  return lines.flatMap((line) => {
    const [, controllers = '', path] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (path === undefined) return []
    if (controllers === '') return groupsAbove('/sys/fs/cgroup', path).flatMap((group) => readGroup(group, world))
    if (!controllers.split(',').includes('memory')) return []
    return groupsAbove('/sys/fs/cgroup/memory', path).flatMap((group) => readOldGroup(group, world))
  })
}

/** A container often sees its own group at the root, under another path than the system names. */
function groupsAbove(root: string, path: string): string[] {
  return path === '/' || path === '.' ? [root] : [join(root, path), ...groupsAbove(root, dirname(path))]
}

function readGroup(group: string, { read }: MemoryWorld): MemoryState[] {
  const statistics = read(join(group, 'memory.stat')) ?? ''
  const files = ['inactive_file', 'active_file', 'slab_reclaimable'].map((name) => numberIn(statistics, name))
  return toState(read(join(group, 'memory.max')), read(join(group, 'memory.current')), files)
}

function readOldGroup(group: string, { read }: MemoryWorld): MemoryState[] {
  const statistics = read(join(group, 'memory.stat')) ?? ''
  const files = ['total_inactive_file', 'total_active_file'].map((name) => numberIn(statistics, name))
  return toState(read(join(group, 'memory.limit_in_bytes')), read(join(group, 'memory.usage_in_bytes')), files)
}

/** The group's copies of files count as used, but it can give them up. */
function toState(limit: string | undefined, usage: string | undefined, reclaimable: readonly number[]): MemoryState[] {
  const total = Number.parseInt(limit ?? '', 10)
  // "max", or a number beyond any memory, means no limit.
  if (!Number.isSafeInteger(total)) return []
  const used = (Number.parseInt(usage ?? '', 10) || 0) - reclaimable.reduce((sum, bytes) => sum + bytes, 0)
  return [{ total, available: total - Math.max(0, used) }]
}

function numberIn(statistics: string, name: string): number {
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(statistics)?.[1] ?? 0)
}

function attempt(ask: () => string): string | undefined {
  try {
    return ask()
  } catch {
    return undefined
  }
}
