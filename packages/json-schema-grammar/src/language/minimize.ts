// Merges states that accept the same rest of a text, with Hopcroft's algorithm: groups of states are split until no letter leads from one
// group into two.

import { NOWHERE, pickRows, type Automaton } from './automaton.ts'
import { work } from './work.ts'

/** The same automaton with as few states as possible. */
export function minimize(automaton: Automaton): Automaton {
  const count = automaton.accepts.length
  if (count < 2) return automaton
  work(automaton.next.length)
  const groups = new Groups(automaton)
  groups.refine()
  return groups.count === count ? automaton : merged(automaton, groups)
}

class Groups {
  readonly #automaton: Automaton
  /** States in the order of their groups, and where each state is in that order. */
  readonly #order: Int32Array
  readonly #places: Int32Array
  readonly groupOf: Int32Array
  readonly #begins: number[] = []
  readonly #ends: number[] = []
  /** Per state and letter, the states that lead there: a list in `#sources` that begins at `#offsets`. */
  readonly #offsets: Int32Array
  readonly #sources: Int32Array

  /** How many states of each group were marked, and which groups have any. */
  readonly #marks: Int32Array
  readonly #marked: number[] = []

  constructor(automaton: Automaton) {
    const { accepts } = automaton
    const count = accepts.length
    this.#automaton = automaton
    this.groupOf = new Int32Array(count)
    this.#marks = new Int32Array(count)
    this.#order = new Int32Array(count)
    this.#places = new Int32Array(count)
    let accepted = 0
    for (let state = 0; state < count; state++) if (accepts[state] === 1) this.#order[accepted++] = state
    for (let state = 0, place = accepted; state < count; state++) if (accepts[state] !== 1) this.#order[place++] = state
    for (let place = 0; place < count; place++) this.#places[this.#order[place]!] = place
    this.#add(0, accepted)
    if (accepted < count) this.#add(accepted, count)
    const { offsets, sources } = reversed(automaton)
    this.#offsets = offsets
    this.#sources = sources
  }

  get count(): number {
    return this.#begins.length
  }

  #add(begin: number, end: number): number {
    const group = this.#begins.length
    this.#begins.push(begin)
    this.#ends.push(end)
    for (let place = begin; place < end; place++) this.groupOf[this.#order[place]!] = group
    return group
  }

  refine(): void {
    const { size } = this.#automaton.alphabet
    const waiting = [...this.#begins.keys()]
    for (let splitter = waiting.pop(); splitter !== undefined; splitter = waiting.pop()) {
      const members = this.#order.slice(this.#begins[splitter], this.#ends[splitter])
      for (let letter = 0; letter < size; letter++) this.#splitBy(members, letter, waiting)
    }
  }

  /** Splits every group of which only some states lead to `members`. Adds the groups to look at next to `waiting`. */
  #splitBy(members: Int32Array, letter: number, waiting: number[]): void {
    const { size } = this.#automaton.alphabet
    work(members.length)
    for (const member of members) {
      const cell = member * size + letter
      const end = this.#offsets[cell + 1]!
      for (let at = this.#offsets[cell]!; at < end; at++) this.#mark(this.#sources[at]!)
    }
    for (const group of this.#marked) this.#split(group, waiting)
    this.#marked.length = 0
  }

  /** Moves a state to the front of its group. */
  #mark(state: number): void {
    const group = this.groupOf[state]!
    const count = this.#marks[group]!
    if (count === 0) this.#marked.push(group)
    const from = this.#places[state]!
    const to = this.#begins[group]! + count
    const other = this.#order[to]!
    this.#order[from] = other
    this.#order[to] = state
    this.#places[other] = from
    this.#places[state] = to
    this.#marks[group] = count + 1
  }

  #split(group: number, waiting: number[]): void {
    const count = this.#marks[group]!
    this.#marks[group] = 0
    const begin = this.#begins[group]!
    const rest = this.#ends[group]! - begin - count
    if (rest === 0) return
    this.#begins[group] = begin + count
    waiting.push(this.#add(begin, begin + count))
    // Looking at the group again as well is never wrong; it only takes longer.
    if (count > rest) waiting.push(group)
  }
}

/** Per state and letter, the states that lead there: a list in `sources` that begins at `offsets`. */
function reversed({ next, alphabet: { size } }: Automaton): { offsets: Int32Array; sources: Int32Array } {
  const offsets = new Int32Array(next.length + 1)
  for (let index = 0; index < next.length; index++)
    if (next[index] !== NOWHERE) offsets[next[index]! * size + (index % size) + 1]!++
  for (let index = 1; index < offsets.length; index++) offsets[index]! += offsets[index - 1]!
  const sources = new Int32Array(next.length)
  const filled = offsets.slice()
  for (let index = 0; index < next.length; index++)
    if (next[index] !== NOWHERE) sources[filled[next[index]! * size + (index % size)]!++] = Math.floor(index / size)
  return { offsets, sources }
}

function merged({ alphabet, next, accepts }: Automaton, { groupOf, count }: Groups): Automaton {
  // Numbered by first state, so that the start stays state 0.
  const numbers = new Int32Array(count).fill(NOWHERE)
  const first: number[] = []
  groupOf.forEach((group, state) => {
    if (numbers[group] === NOWHERE) numbers[group] = first.push(state) - 1
  })
  const placeOf = (target: number): number => numbers[groupOf[target]!]!
  return {
    alphabet,
    next: pickRows(next, alphabet.size, first, placeOf),
    accepts: Uint8Array.from(first, (state) => accepts[state]!),
  }
}
