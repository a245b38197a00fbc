// Several automata that read the same text at the same time.

import { NOWHERE, isEmptyLanguage, type Automaton } from './automaton.ts'
import { explore, exploreStates, withoutDeadEnds } from './explore.ts'
import { minimize } from './minimize.ts'
import { EMPTY_LIST, NumberLists } from '../grammar/number-lists.ts'
import type { WorkBudget } from './work-budget.ts'

/** Most states of an intersection lead nowhere, or turn out to be equal. */
const MAX_PRODUCT = 4000

/**
 * The positions that were reached: where each automaton is that still reads along. Each has a
 * number, because numbers are quick to compare. The states of all automata are numbered together,
 * those of the first one first.
 */
class Positions {
  readonly #automata: readonly Automaton[]
  /** How many automata have to read along. */
  readonly #least: number
  readonly #lists = new NumberLists()
  readonly #kinds = new NumberLists()
  readonly #next: Int32Array
  /** For each state that accepts the text, the number of its automaton; NOWHERE for others. */
  readonly #acceptedBy: Int32Array

  /**
   * All of them have the same letters. Positions where fewer than `least` of them read along lead
   * nowhere.
   */
  constructor(automata: readonly Automaton[], least: number) {
    this.#automata = automata
    this.#least = least
    const count = automata.reduce((sum, { accepts }) => sum + accepts.length, 0)
    this.#next = new Int32Array(automata.reduce((sum, { next }) => sum + next.length, 0))
    this.#acceptedBy = new Int32Array(count).fill(NOWHERE)
    let [at, first] = [0, 0]
    for (const [index, { next, accepts }] of automata.entries()) {
      for (const target of next) this.#next[at++] = target === NOWHERE ? NOWHERE : first + target
      for (let state = 0; state < accepts.length; state++)
        if (accepts[state] === 1) this.#acceptedBy[first + state] = index
      first += accepts.length
    }
  }

  start(): number {
    let [list, first] = [EMPTY_LIST, 0]
    for (const automaton of this.#automata) {
      if (!isEmptyLanguage(automaton)) list = this.#lists.extended(list, first)
      first += automaton.accepts.length
    }
    return list
  }

  /** The automata that accept the text that led here. */
  accepting(number: number): boolean[] {
    const accepting = this.#automata.map(() => false)
    for (const state of this.#lists.numbersIn(number))
      if (this.#acceptedBy[state] !== NOWHERE) accepting[this.#acceptedBy[state]!] = true
    return accepting
  }

  /** The same for positions where the same automata accept the text. */
  kindOf(number: number): number {
    let kind = EMPTY_LIST
    for (const state of this.#lists.numbersIn(number))
      if (this.#acceptedBy[state] !== NOWHERE) kind = this.#kinds.extended(kind, this.#acceptedBy[state]!)
    return kind
  }

  /** Writes the number that each letter leads to, or NOWHERE. */
  follow(number: number, targets: Int32Array): void {
    const states = this.#lists.numbersIn(number)
    for (let letter = 0; letter < targets.length; letter++) {
      // Most letters lead to the same position as the one before.
      const isSame = letter > 0 && this.#isLikeBefore(states, letter, targets.length)
      targets[letter] = isSame ? targets[letter - 1]! : this.#target(states, letter, targets.length)
    }
  }

  #target(states: readonly number[], letter: number, size: number): number {
    let [list, count] = [EMPTY_LIST, 0]
    for (const state of states) {
      const target = this.#next[state * size + letter]!
      if (target === NOWHERE) continue
      list = this.#lists.extended(list, target)
      count += 1
    }
    return count < this.#least ? NOWHERE : list
  }

  /** Whether a letter leads to the same states as the one before. */
  #isLikeBefore(states: readonly number[], letter: number, size: number): boolean {
    for (const state of states)
      if (this.#next[state * size + letter] !== this.#next[state * size + letter - 1]) return false
    return true
  }
}

/**
 * The texts that all of them accept. All at once: two of them alone may have far more states in
 * common than all together.
 */
export function product(first: Automaton, rest: readonly Automaton[], work: WorkBudget): Automaton {
  const automata = [first, ...rest]
  const empty = automata.find(isEmptyLanguage)
  if (empty !== undefined) return empty
  const positions = new Positions(automata, automata.length)
  return explore(
    {
      alphabet: first.alphabet,
      start: positions.start(),
      isAccepted: (number) => positions.accepting(number).every(Boolean),
      follow: (number, targets) => positions.follow(number, targets),
      maxStates: MAX_PRODUCT,
      effort: automata.length,
    },
    work,
  )
}

/** Texts that the same automata accept. */
export interface Cell {
  readonly accepting: readonly boolean[]
  /** Made when it is asked for: of most cells, nothing is written. */
  readonly automaton: (work: WorkBudget) => Automaton
}

/**
 * Splits all texts by the automata that accept them, as far as they are wanted. Those that none
 * accepts are left out unless `hasOthers`.
 */
export function split(
  automata: readonly Automaton[],
  hasOthers: boolean,
  isWanted: (accepting: readonly boolean[]) => boolean,
  work: WorkBudget,
): Cell[] {
  const [first] = automata
  if (first === undefined) return []
  const { alphabet } = first
  const positions = new Positions(automata, hasOthers ? 0 : 1)
  const { keys, next } = exploreStates(
    {
      alphabet,
      start: positions.start(),
      follow: (number, targets) => positions.follow(number, targets),
      maxStates: MAX_PRODUCT,
      effort: automata.length,
    },
    work,
  )
  const kinds = keys.map((number) => positions.kindOf(number))
  return [...new Set(kinds)].flatMap((kind) => {
    const accepting = positions.accepting(keys[kinds.indexOf(kind)]!)
    if (!isWanted(accepting) || (!hasOthers && !accepting.includes(true))) return []
    let made: Automaton | undefined
    const make = (work: WorkBudget) => {
      const accepts = Uint8Array.from(kinds, (other) => (other === kind ? 1 : 0))
      return minimize(withoutDeadEnds({ alphabet, next, accepts }, work), work)
    }
    return [{ accepting, automaton: (work) => (made ??= make(work)) }]
  })
}
