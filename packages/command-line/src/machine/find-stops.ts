// The one place that knows whether a machine can run Hearth. Every program asks it before it makes anything: `npm start`, `doctor` and the
// installers. docs/machines.md lists all that it can say.

import { formatMemory } from '../format.ts'
import { availableMemory } from './available-memory.ts'
import { findFolderStops, FOLDERS_HERE, type FolderNeed, type FolderWorld } from './folders.ts'
import { readText } from './libraries.js'
import { openFilesLimit } from './open-files.ts'
import { findSystemStops, readSystem, type Parts, type Stop, type System } from './system.js'

export { sentenceOf } from './system.js'

export interface Needs {
  parts: Parts
  folders: readonly FolderNeed[]
  memoryBytes: number
}

export interface Machine {
  system: System
  folders: FolderWorld
  /** Memory that programs can still take, with what can be swapped out. */
  memoryBytes: number
  /** Files and connections that a process may have open. */
  openFiles: number
}

/** A process of Hearth has this many open before it serves anyone: PostgreSQL keeps 48 in reserve, and the gateway connects to it ten times. */
export const OPEN_FILES = 128

/** What makes it pointless to go on, the most basic reason first. */
export function findStops({ parts, folders, memoryBytes }: Needs, machine = thisMachine()): Stop[] {
  return [
    ...findSystemStops(machine.system, parts),
    ...findFolderStops(folders, machine.folders),
    ...(machine.memoryBytes < memoryBytes ? [noMemory(memoryBytes, machine)] : []),
    ...(machine.openFiles < OPEN_FILES ? [fewFiles(machine)] : []),
  ]
}

function noMemory(needed: number, { memoryBytes }: Machine): Stop {
  return {
    code: 'no-memory',
    what: `There is too little memory: ${formatMemory(needed)} needed, ${formatMemory(memoryBytes)} available`,
    remedy: 'close other programs, or give the container or virtual machine more',
  }
}

function fewFiles({ openFiles }: Machine): Stop {
  return {
    code: 'few-open-files',
    what: `A process may open only ${openFiles} files here, and Hearth needs ${OPEN_FILES}`,
    remedy:
      'raise the limit: "ulimit -n 4096" in this terminal, LimitNOFILE= for a service, or --ulimit nofile=4096 for a container',
  }
}

function thisMachine(): Machine {
  return {
    system: readSystem(),
    folders: FOLDERS_HERE,
    memoryBytes: availableMemory().available + freeSwap(),
    openFiles: openFilesLimit(),
  }
}

function freeSwap(): number {
  return Number(/^SwapFree:\s+(\d+) kB/m.exec(readText('/proc/meminfo'))?.[1] ?? 0) * 1024
}
