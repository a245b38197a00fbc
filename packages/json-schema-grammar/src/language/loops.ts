// Groups of states that can reach each other, with Tarjan's algorithm.

import { NOWHERE, type Automaton } from './automaton.ts'

export interface Group {
  readonly isLoop: boolean
  /**
   * At most how many steps lead from one group to another, and how many loops there are, on any way
   * from here.
   */
  readonly steps: number
  readonly loops: number
}

interface Node {
  readonly targets: Node[]
  /** When it was visited first, and the first visited of the open nodes that it reaches. */
  order: number
  lowest: number
  /** Known once the node is closed. */
  group: Group | undefined
}

const UNVISITED = -1

/** The group of each state. */
export function groupsOf(automaton: Automaton): (Group | undefined)[] {
  const nodes = toNodes(automaton)
  const visits = new Visits()
  for (const node of nodes) if (node.order === UNVISITED) visits.visit(node)
  return nodes.map(({ group }) => group)
}

function toNodes({ alphabet: { size }, next, accepts }: Automaton): Node[] {
  const nodes = Array.from(accepts, (): Node => ({ targets: [], order: UNVISITED, lowest: 0, group: undefined }))
  for (const [state, node] of nodes.entries())
    for (const target of new Set(next.subarray(state * size, (state + 1) * size))) {
      const reached = target === NOWHERE ? undefined : nodes[target]
      if (reached !== undefined) node.targets.push(reached)
    }
  return nodes
}

class Visits {
  #visited = 0
  readonly #open: Node[] = []
  /** The way to the current node, each with the number of targets that were looked at. */
  readonly #path: { readonly node: Node; looked: number }[] = []

  visit(start: Node): void {
    this.#enter(start)
    for (let step = this.#path.at(-1); step !== undefined; step = this.#path.at(-1)) {
      const { node } = step
      const target = node.targets[step.looked++]
      if (target === undefined) this.#leave(node)
      else if (target.order === UNVISITED) this.#enter(target)
      else if (target.group === undefined) node.lowest = Math.min(node.lowest, target.order)
    }
  }

  #enter(node: Node): void {
    node.order = node.lowest = this.#visited++
    this.#open.push(node)
    this.#path.push({ node, looked: 0 })
  }

  #leave(node: Node): void {
    this.#path.pop()
    const parent = this.#path.at(-1)?.node
    if (parent !== undefined) parent.lowest = Math.min(parent.lowest, node.lowest)
    if (node.lowest === node.order) close(node, this.#open.splice(this.#open.lastIndexOf(node)))
  }
}

/** Every other group that this one leads to is closed already. */
function close(node: Node, members: readonly Node[]): void {
  const isLoop = members.length > 1 || node.targets.includes(node)
  let [steps, loops] = [0, 0]
  for (const { targets } of members)
    for (const { group } of targets) {
      if (group === undefined) continue
      steps = Math.max(steps, group.steps + 1)
      loops = Math.max(loops, group.loops)
    }
  const group = { isLoop, steps, loops: loops + Number(isLoop) }
  for (const member of members) member.group = group
}
