// Merges states that accept the same rest of a text, with Hopcroft's algorithm: groups of states
// are split until no letter leads from one group into two.

import { NOWHERE, pickStates, type Automaton } from './automaton.ts'
import type { WorkBudget } from './work-budget.ts'
import { getOrMake } from '../get-or-make.ts'

/** The same automaton with as few states as possible. */
export function minimize(automaton: Automaton, work: WorkBudget): Automaton {
  const count = automaton.accepts.length
  if (count < 2) return automaton
  work.spend(automaton.next.length)
  const partition = new Partition(automaton, work)
  partition.refine()
  return partition.count === count ? automaton : merged(automaton, partition)
}

/**
 * States that were not told apart so far are a group: next to each other in the order of states,
 * the marked ones first.
 */
class Partition {
  readonly #size: number
  readonly #work: WorkBudget
  /** States in the order of their groups, and where each state is in that order. */
  readonly #order: Int32Array
  readonly #places: Int32Array
  readonly #sources: Sources
  /**
   * Per group, where it begins and ends in the order of states, and how many of its states are
   * marked.
   */
  readonly #begins: Int32Array
  readonly #ends: Int32Array
  readonly #marks: Int32Array
  readonly #marked: number[] = []
  /** Groups by which others may have to be split. */
  readonly #waiting: number[] = []
  readonly groupOf: Int32Array
  count = 0

  constructor(automaton: Automaton, work: WorkBudget) {
    const { length } = automaton.accepts
    this.#size = automaton.alphabet.size
    this.#work = work
    this.#sources = sourcesOf(automaton)
    this.#order = new Int32Array(length)
    this.#places = new Int32Array(length)
    this.groupOf = new Int32Array(length)
    this.#begins = new Int32Array(length)
    this.#ends = new Int32Array(length)
    this.#marks = new Int32Array(length)
    this.count = groupByLetters(automaton, this.groupOf)
    this.#place()
  }

  /** Puts the states into the order of their groups. */
  #place(): void {
    for (const group of this.groupOf) this.#ends[group]! += 1
    for (let group = 0, begin = 0; group < this.count; group++) {
      const end = begin + this.#ends[group]!
      this.#begins[group] = this.#ends[group] = begin
      begin = end
      this.#waiting.push(group)
    }
    for (let state = 0; state < this.groupOf.length; state++) {
      const place = this.#ends[this.groupOf[state]!]!++
      this.#order[place] = state
      this.#places[state] = place
    }
  }

  #add(begin: number, end: number): number {
    const group = this.count++
    this.#begins[group] = begin
    this.#ends[group] = end
    for (let place = begin; place < end; place++) this.groupOf[this.#order[place]!] = group
    return group
  }

  refine(): void {
    for (let splitter = this.#waiting.pop(); splitter !== undefined; splitter = this.#waiting.pop()) {
      const members = this.#order.slice(this.#begins[splitter], this.#ends[splitter])
      this.#work.spend(members.length * this.#size)
      for (let letter = 0; letter < this.#size; letter++) this.#splitBy(members, letter)
    }
  }

  /** Splits every group of which only some states lead to `members`. */
  #splitBy(members: Int32Array, letter: number): void {
    const { offsets, states } = this.#sources
    for (let index = 0; index < members.length; index++) {
      const cell = members[index]! * this.#size + letter
      const end = offsets[cell + 1]!
      for (let at = offsets[cell]!; at < end; at++) this.#mark(states[at]!)
    }
    if (this.#marked.length === 0) return
    for (const group of this.#marked) this.#split(group)
    this.#marked.length = 0
  }

  /** Moves a state to the front of its group. */
  #mark(state: number): void {
    const group = this.groupOf[state]!
    const marks = this.#marks[group]!
    if (marks === 0) this.#marked.push(group)
    const from = this.#places[state]!
    const to = this.#begins[group]! + marks
    const other = this.#order[to]!
    this.#order[from] = other
    this.#order[to] = state
    this.#places[other] = from
    this.#places[state] = to
    this.#marks[group] = marks + 1
  }

  #split(group: number): void {
    const [begin, end, marks] = [this.#begins[group]!, this.#ends[group]!, this.#marks[group]!]
    this.#marks[group] = 0
    const rest = end - begin - marks
    if (rest === 0) return
    this.#begins[group] = begin + marks
    this.#waiting.push(this.#add(begin, begin + marks))
    // Looking at the group again as well is never wrong; it only takes longer.
    if (marks > rest) this.#waiting.push(group)
  }
}

/**
 * Every state leads to an accepted text, so states that continue with different letters are
 * different. Returns the number of groups; some of them may hold states with different letters.
 */
function groupByLetters({ next, alphabet: { size }, accepts }: Automaton, groupOf: Int32Array): number {
  const groups = new Map<number, number>()
  for (let state = 0, index = 0; state < groupOf.length; state++) {
    let hash: number = accepts[state]!
    for (let letter = 0; letter < size; letter++, index++)
      if (next[index] !== NOWHERE) hash = Math.imul(hash ^ (letter + 2), 0x01_00_01_93)
    groupOf[state] = getOrMake(groups, hash, () => groups.size)
  }
  return groups.size
}

/**
 * Per state and letter, the states that lead there: a part of `states` that begins at `offsets`.
 */
interface Sources {
  readonly offsets: Int32Array
  readonly states: Int32Array
}

function sourcesOf({ next, alphabet: { size }, accepts: { length } }: Automaton): Sources {
  // Sorted by where they lead, with a counting sort: first how many lead to each cell, then where
  // its part begins.
  const offsets = new Int32Array(next.length + 1)
  for (let state = 0, index = 0; state < length; state++)
    for (let letter = 0; letter < size; letter++, index++)
      if (next[index] !== NOWHERE) offsets[next[index]! * size + letter + 1]!++
  for (let cell = 1; cell < offsets.length; cell++) offsets[cell]! += offsets[cell - 1]!
  const states = new Int32Array(next.length)
  const free = offsets.slice()
  for (let state = 0, index = 0; state < length; state++)
    for (let letter = 0; letter < size; letter++, index++)
      if (next[index] !== NOWHERE) states[free[next[index]! * size + letter]!++] = state
  return { offsets, states }
}

function merged(automaton: Automaton, { groupOf, count }: Partition): Automaton {
  // Numbered by first state, so that the start stays state 0.
  const numbers = new Int32Array(count).fill(NOWHERE)
  const first: number[] = []
  const places = new Int32Array(groupOf.length)
  for (let state = 0; state < groupOf.length; state++) {
    const group = groupOf[state]!
    if (numbers[group] === NOWHERE) numbers[group] = first.push(state) - 1
    places[state] = numbers[group]!
  }
  return pickStates(automaton, first, places)
}
