// One core and 2 GB of this machine, as control groups, which no process leaves by itself. The kernel has them in one tree, or an older one for
// each kind.

import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SmallMachine extends Disposable {
  /** Lines of sh: the process that runs them is in it from then on, with all that it starts. */
  enter: string
}

const GROUPS = '/sys/fs/cgroup'
const MEMORY_BYTES = String(2 * 2 ** 30)
const CORE = '0'

export function makeSmallMachine(): SmallMachine {
  const name = `hearth-machines-${randomUUID()}`
  const groups = existsSync(join(GROUPS, 'cgroup.controllers')) ? makeGroup(name) : makeGroups(name)
  return {
    enter: groups.map((group) => `echo $$ > ${group}/cgroup.procs`).join('\n'),
    [Symbol.dispose]: () => groups.forEach((group) => rmdirSync(group)),
  }
}

function makeGroup(name: string): string[] {
  writeFileSync(join(GROUPS, 'cgroup.subtree_control'), '+cpuset +memory')
  return [make(join(GROUPS, name), { 'cpuset.cpus': CORE, 'memory.max': MEMORY_BYTES })]
}

function makeGroups(name: string): string[] {
  return [
    make(join(GROUPS, 'cpuset', name), { 'cpuset.mems': '0', 'cpuset.cpus': CORE }),
    make(join(GROUPS, 'memory', name), { 'memory.limit_in_bytes': MEMORY_BYTES }),
  ]
}

function make(group: string, settings: Readonly<Record<string, string>>): string {
  mkdirSync(group)
  for (const [setting, value] of Object.entries(settings)) writeFileSync(join(group, setting), value)
  return group
}
