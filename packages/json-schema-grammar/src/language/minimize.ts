// Merges states that accept the same rest of a text, with Hopcroft's algorithm: groups of states are split until no letter leads from one
// group into two.

import { NOWHERE, type Automaton } from './automaton.ts'
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

  constructor(automaton: Automaton) {
    const { accepts, next, alphabet } = automaton
    const count = accepts.length
    this.#automaton = automaton
    this.groupOf = new Int32Array(count)
    const states = [...accepts.keys()]
    this.#order = Int32Array.from([
      ...states.filter((state) => accepts[state]),
      ...states.filter((state) => !accepts[state]),
    ])
    this.#places = new Int32Array(count)
    this.#order.forEach((state, place) => (this.#places[state] = place))
    const accepted = states.filter((state) => accepts[state]).length
    this.#add(0, accepted)
    if (accepted < count) this.#add(accepted, count)
    this.#offsets = new Int32Array(next.length + 1)
    for (const [index, target] of next.entries())
      if (target !== NOWHERE) this.#offsets[target * alphabet.size + (index % alphabet.size) + 1]!++
    for (let index = 1; index < this.#offsets.length; index++) this.#offsets[index]! += this.#offsets[index - 1]!
    this.#sources = new Int32Array(next.length)
    const filled = this.#offsets.slice()
    for (const [index, target] of next.entries())
      if (target !== NOWHERE)
        this.#sources[filled[target * alphabet.size + (index % alphabet.size)]!++] = Math.floor(index / alphabet.size)
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
      for (let letter = 0; letter < size; letter++) waiting.push(...this.#splitBy(members, letter))
    }
  }

  /** Splits every group of which only some states lead to `members`. Returns the groups to look at next. */
  #splitBy(members: Int32Array, letter: number): number[] {
    const { size } = this.#automaton.alphabet
    const marked = new Map<number, number>()
    for (const member of members) {
      const cell = member * size + letter
      work(1)
      for (let at = this.#offsets[cell]!; at < this.#offsets[cell + 1]!; at++) this.#mark(this.#sources[at]!, marked)
    }
    return [...marked].flatMap(([group, count]) => this.#split(group, count))
  }

  /** Moves a state to the front of its group. */
  #mark(state: number, marked: Map<number, number>): void {
    const group = this.groupOf[state]!
    const count = marked.get(group) ?? 0
    const [from, to] = [this.#places[state]!, this.#begins[group]! + count]
    const other = this.#order[to]!
    this.#order[from] = other
    this.#order[to] = state
    this.#places[other] = from
    this.#places[state] = to
    marked.set(group, count + 1)
  }

  #split(group: number, count: number): number[] {
    const [begin, end] = [this.#begins[group]!, this.#ends[group]!]
    if (count === end - begin) return []
    this.#begins[group] = begin + count
    const added = this.#add(begin, begin + count)
    // Looking at the group again as well is never wrong; it only takes longer.
    return count <= end - begin - count ? [added] : [added, group]
  }
}

function merged({ alphabet, next, accepts }: Automaton, { groupOf }: Groups): Automaton {
  // Numbered by first state, so that the start stays state 0.
  const numbers = new Map<number, number>()
  const first: number[] = []
  groupOf.forEach((group, state) => {
    if (numbers.has(group)) return
    numbers.set(group, first.length)
    first.push(state)
  })
  const rows = first.flatMap((state) =>
    Array.from(next.subarray(state * alphabet.size, (state + 1) * alphabet.size), (target) =>
      target === NOWHERE ? NOWHERE : numbers.get(groupOf[target]!)!,
    ),
  )
  return { alphabet, next: Int32Array.from(rows), accepts: Uint8Array.from(first, (state) => accepts[state]!) }
}
