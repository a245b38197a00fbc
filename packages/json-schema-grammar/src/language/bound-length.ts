// Texts of an automaton up to a length, where a state for each length would be too many. Only loops make texts long, so each loop gets its
// share of the length and counts for itself. That leaves out some long texts, and never lets a longer one through.

import { NOWHERE, explore, type Automaton } from './automaton.ts'
import { PatternError } from './language.ts'

export function boundLength(automaton: Automaton, max: number, maxStates: number, leastShare: number): Automaton {
  const { alphabet, next, accepts } = automaton
  const loops = new Loops(automaton)
  const { steps, loops: entered } = loops.longestWay()
  const share = Math.min(
    Math.floor((max - steps) / Math.max(1, entered)),
    Math.floor(maxStates / Math.max(1, loops.size)),
  )
  if (share < Math.min(leastShare, max)) throw new PatternError(`it needs more than ${maxStates} states for its length`)
  const width = share + 1
  return explore(
    alphabet,
    0,
    (key) => accepts[Math.floor(key / width)] === 1,
    (key, letter) => {
      const [state, count] = [Math.floor(key / width), key % width]
      const target = next[state * alphabet.size + letter]!
      if (target === NOWHERE) return NOWHERE
      const isInside = loops.of[state] === loops.of[target]
      if (isInside && count === share) return NOWHERE
      return target * width + (isInside ? count + 1 : 0)
    },
    maxStates * 2,
  )
}

/** Whether no text is longer than `max` anyway. */
export function isShort(automaton: Automaton, max: number): boolean {
  const { steps, loops } = new Loops(automaton).longestWay()
  return loops === 0 && steps <= max
}

/** Groups of states that can reach each other (Tarjan's algorithm). Groups are numbered so that a group only leads to lower numbers. */
class Loops {
  readonly of: Int32Array
  /** The number of states that are part of a loop. */
  size = 0
  readonly #isLoop: boolean[] = []
  readonly #targets: readonly (readonly number[])[]

  constructor({ alphabet, next, accepts }: Automaton) {
    this.#targets = Array.from(accepts, (_, state) => [
      ...new Set(next.subarray(state * alphabet.size, (state + 1) * alphabet.size)),
    ]).map((targets) => targets.filter((target) => target !== NOWHERE))
    this.of = new Int32Array(accepts.length).fill(-1)
    this.#find()
  }

  #find(): void {
    const order = new Int32Array(this.of.length).fill(-1)
    const lowest = new Int32Array(this.of.length)
    const open: number[] = []
    let visited = 0
    const visit = (start: number): void => {
      const path: { state: number; at: number }[] = []
      const enter = (state: number) => {
        order[state] = lowest[state] = visited++
        open.push(state)
        path.push({ state, at: 0 })
      }
      enter(start)
      for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
        const target = this.#targets[step.state]![step.at++]
        if (target === undefined) {
          path.pop()
          const parent = path.at(-1)
          if (parent !== undefined) lowest[parent.state] = Math.min(lowest[parent.state]!, lowest[step.state]!)
          if (lowest[step.state] === order[step.state]) this.#close(step.state, open)
        } else if (order[target] === -1) enter(target)
        else if (this.of[target] === -1) lowest[step.state] = Math.min(lowest[step.state]!, order[target]!)
      }
    }
    for (const state of this.of.keys()) if (order[state] === -1) visit(state)
  }

  #close(state: number, open: number[]): void {
    const group = this.#isLoop.length
    const members = open.splice(open.lastIndexOf(state))
    for (const member of members) this.of[member] = group
    const isLoop = members.length > 1 || this.#targets[state]!.includes(state)
    this.#isLoop.push(isLoop)
    if (isLoop) this.size += members.length
  }

  /** At most how many steps lead from one group to another, and how many loops, on any way from the start. */
  longestWay(): { steps: number; loops: number } {
    const steps = this.#isLoop.map(() => 0)
    const loops = this.#isLoop.map((isLoop) => Number(isLoop))
    const states = [...this.of.keys()].sort((a, b) => this.of[a]! - this.of[b]!)
    for (const state of states) {
      const group = this.of[state]!
      for (const target of this.#targets[state]!) {
        const other = this.of[target]!
        if (other === group) continue
        steps[group] = Math.max(steps[group]!, steps[other]! + 1)
        loops[group] = Math.max(loops[group]!, loops[other]! + Number(this.#isLoop[group]))
      }
    }
    return { steps: steps[this.of[0]!]!, loops: loops[this.of[0]!]! }
  }
}
