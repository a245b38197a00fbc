// Reads a CPU profile: how much time each function took by itself, and the tree of calls with the time of each.

import { basename } from 'node:path'
import type { CpuProfile, ProfileNode } from '../gateway/inspector.ts'

export interface FunctionCost {
  name: string
  /** Part of the time that the process was busy, from 0 to 1. */
  share: number
}

export interface Call {
  name: string
  micros: number
  children: Call[]
}

const IDLE = '(idle)'

/** The most expensive functions, without what they call. */
export function listCosts(profile: CpuProfile): FunctionCost[] {
  const times = ownTimes(profile)
  const byName = new Map<string, number>()
  let busy = 0
  for (const node of profile.nodes) {
    const micros = node.callFrame.functionName === IDLE ? 0 : (times.get(node.id) ?? 0)
    busy += micros
    byName.set(nameOf(node), (byName.get(nameOf(node)) ?? 0) + micros)
  }
  return [...byName].map(([name, micros]) => ({ name, share: micros / busy })).toSorted((a, b) => b.share - a.share)
}

/** All calls while the process was busy. Calls of one function from the same place are one. */
export function toCallTree(profile: CpuProfile): Call {
  const times = ownTimes(profile)
  const byId = new Map(profile.nodes.map((node) => [node.id, node]))
  const visit = (node: ProfileNode): Call => {
    const children = merge((node.children ?? []).map((id) => visit(byId.get(id)!)))
    return { name: nameOf(node), children, micros: sum(children) + (times.get(node.id) ?? 0) }
  }
  const root = visit(profile.nodes[0]!)
  const children = root.children.filter(({ name }) => name !== IDLE)
  return { name: 'all', children, micros: sum(children) }
}

function merge(calls: readonly Call[]): Call[] {
  const byName = new Map<string, Call>()
  for (const call of calls) {
    const same = byName.get(call.name)
    if (!same) byName.set(call.name, call)
    else {
      same.micros += call.micros
      same.children = merge([...same.children, ...call.children])
    }
  }
  return [...byName.values()]
}

function sum(calls: readonly Call[]): number {
  return calls.reduce((total, { micros }) => total + micros, 0)
}

function ownTimes({ samples, timeDeltas }: CpuProfile): Map<number, number> {
  const times = new Map<number, number>()
  samples.forEach((id, index) => times.set(id, (times.get(id) ?? 0) + (timeDeltas[index] ?? 0)))
  return times
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const name = functionName === '' ? '(anonymous)' : functionName
  return url === '' ? name : `${name} ${basename(url)}:${lineNumber + 1}`
}
