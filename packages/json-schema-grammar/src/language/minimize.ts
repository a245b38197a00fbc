// Merges states that accept the same rest of a text, with Hopcroft's algorithm: groups of states are split until no letter leads from one
// group into two.

import { NOWHERE, pickStates, type Automaton } from './automaton.ts'
import type { WorkBudget } from './work-budget.ts'

/** The same automaton with as few states as possible. */
export function minimize(automaton: Automaton, work: WorkBudget): Automaton {
  const count = automaton.accepts.length
  if (count < 2) return automaton
  work.spend(automaton.next.length)
  const partition = new Partition(automaton, work)
  partition.refine()
  return partition.count === count ? automaton : merged(automaton, partition)
}

/** States that were not told apart so far, next to each other in the order of states. The marked ones come first. */
interface Group {
  begin: number
  readonly end: number
  marked: number
}

class Partition {
  readonly #size: number
  readonly #work: WorkBudget
  /** States in the order of their groups, and where each state is in that order. */
  readonly #order: Int32Array
  readonly #places: Int32Array
  readonly #sources: Sources
  readonly #marked: Group[] = []
  readonly groupOf: Group[]
  count: number

  constructor(automaton: Automaton, work: WorkBudget) {
    const { accepts, alphabet } = automaton
    this.#size = alphabet.size
    this.#work = work
    this.#sources = sourcesOf(automaton)
    const states = [...accepts.keys()]
    const accepted = states.filter((state) => accepts[state] === 1)
    const others = states.filter((state) => accepts[state] !== 1)
    this.#order = Int32Array.from([...accepted, ...others])
    this.#places = new Int32Array(states.length)
    this.#order.forEach((state, place) => {
      this.#places[state] = place
    })
    const yes = { begin: 0, end: accepted.length, marked: 0 }
    const no = { begin: accepted.length, end: states.length, marked: 0 }
    this.groupOf = Array.from(accepts, (flag) => (flag === 1 ? yes : no))
    this.count = others.length > 0 ? 2 : 1
  }

  #add(begin: number, end: number): Group {
    const group = { begin, end, marked: 0 }
    for (const state of this.#order.subarray(begin, end)) this.groupOf[state] = group
    this.count += 1
    return group
  }

  refine(): void {
    const waiting = [...new Set(this.groupOf)].toSorted((a, b) => a.begin - b.begin)
    for (let splitter = waiting.pop(); splitter !== undefined; splitter = waiting.pop()) {
      const members = this.#order.slice(splitter.begin, splitter.end)
      for (let letter = 0; letter < this.#size; letter++) this.#splitBy(members, letter, waiting)
    }
  }

  /** Splits every group of which only some states lead to `members`. Adds the groups to look at next to `waiting`. */
  #splitBy(members: Int32Array, letter: number, waiting: Group[]): void {
    const { offsets, states } = this.#sources
    this.#work.spend(members.length)
    for (const member of members) {
      const cell = member * this.#size + letter
      const end = offsets[cell + 1]!
      for (let at = offsets[cell]!; at < end; at++) this.#mark(states[at]!)
    }
    for (const group of this.#marked) this.#split(group, waiting)
    this.#marked.length = 0
  }

  /** Moves a state to the front of its group. */
  #mark(state: number): void {
    const group = this.groupOf[state]!
    if (group.marked === 0) this.#marked.push(group)
    const from = this.#places[state]!
    const to = group.begin + group.marked
    const other = this.#order[to]!
    this.#order[from] = other
    this.#order[to] = state
    this.#places[other] = from
    this.#places[state] = to
    group.marked += 1
  }

  #split(group: Group, waiting: Group[]): void {
    const { begin, end, marked } = group
    group.marked = 0
    const rest = end - begin - marked
    if (rest === 0) return
    group.begin = begin + marked
    waiting.push(this.#add(begin, group.begin))
    // Looking at the group again as well is never wrong; it only takes longer.
    if (marked > rest) waiting.push(group)
  }
}

/** Per state and letter, the states that lead there: a part of `states` that begins at `offsets`. */
interface Sources {
  readonly offsets: Int32Array
  readonly states: Int32Array
}

function sourcesOf({ next, alphabet: { size } }: Automaton): Sources {
  // Sorted by where they lead, with a counting sort: first how many lead to each cell, then where its part begins.
  const offsets = new Int32Array(next.length + 1)
  for (let index = 0; index < next.length; index++)
    if (next[index] !== NOWHERE) offsets[next[index]! * size + (index % size) + 1]!++
  for (let cell = 1; cell < offsets.length; cell++) offsets[cell]! += offsets[cell - 1]!
  const states = new Int32Array(next.length)
  const free = offsets.slice()
  for (let index = 0; index < next.length; index++)
    if (next[index] !== NOWHERE) states[free[next[index]! * size + (index % size)]!++] = Math.floor(index / size)
  return { offsets, states }
}

function merged(automaton: Automaton, { groupOf }: Partition): Automaton {
  // Numbered by first state, so that the start stays state 0.
  const numbers = new Map<Group, number>()
  const first: number[] = []
  groupOf.forEach((group, state) => {
    if (!numbers.has(group)) numbers.set(group, first.push(state) - 1)
  })
  const places = Int32Array.from(groupOf, (group) => numbers.get(group) ?? NOWHERE)
  return pickStates(automaton, first, places)
}
