// Several automata that read the same text at the same time.

import { NOWHERE, isEmptyLanguage, type Automaton } from './automaton.ts'
import { explore, exploreStates, withoutDeadEnds } from './explore.ts'
import { minimize } from './minimize.ts'
import { EMPTY_LIST, NumberLists } from '../grammar/number-lists.ts'
import type { WorkBudget } from './work-budget.ts'

/** Most states of an intersection lead nowhere, or turn out to be equal. */
const MAX_PRODUCT = 4000

/** The positions that were reached: a state of each automaton, in their order. Each has a number, because numbers are quick to compare. */
class Positions {
  readonly #automata: readonly Automaton[]
  readonly #isPossible: (states: readonly number[]) => boolean
  readonly #lists = new NumberLists()
  readonly #kinds = new NumberLists()
  /** The states of every position. */
  readonly #states = new Map<number, readonly number[]>()

  /** Positions that are not possible lead nowhere. */
  constructor(automata: readonly Automaton[], isPossible: (states: readonly number[]) => boolean) {
    this.#automata = automata
    this.#isPossible = isPossible
  }

  start(): number {
    return this.#numberOf(this.#automata.map((automaton) => (isEmptyLanguage(automaton) ? NOWHERE : 0)))
  }

  /** The automata that accept the text that led here. */
  accepting(number: number): boolean[] {
    const states = this.#states.get(number)!
    return this.#automata.map(({ accepts }, index) => accepts[states[index]!] === 1)
  }

  /** The same for positions where the same automata accept the text. */
  kindOf(number: number): number {
    const states = this.#states.get(number)!
    let kind = EMPTY_LIST
    for (let index = 0; index < states.length; index++)
      if (this.#automata[index]!.accepts[states[index]!] === 1) kind = this.#kinds.extended(kind, index)
    return kind
  }

  /** Writes the number that each letter leads to, or NOWHERE. */
  follow(number: number, targets: Int32Array): void {
    const states = this.#states.get(number)!
    let next: readonly number[] = []
    for (let letter = 0; letter < targets.length; letter++) {
      // Most letters lead to the same position as the one before.
      const isSame = letter > 0 && this.#isAt(states, letter, next)
      if (!isSame) next = states.map((state, index) => this.#target(index, state, letter))
      targets[letter] = isSame ? targets[letter - 1]! : this.#isPossible(next) ? this.#numberOf(next) : NOWHERE
    }
  }

  #target(index: number, state: number, letter: number): number {
    const { alphabet, next } = this.#automata[index]!
    return state === NOWHERE ? NOWHERE : next[state * alphabet.size + letter]!
  }

  /** Whether a letter leads from some states to others. */
  #isAt(states: readonly number[], letter: number, others: readonly number[]): boolean {
    for (let index = 0; index < states.length; index++)
      if (this.#target(index, states[index]!, letter) !== others[index]) return false
    return true
  }

  #numberOf(states: readonly number[]): number {
    let number = EMPTY_LIST
    for (const state of states) number = this.#lists.extended(number, state)
    this.#states.set(number, states)
    return number
  }
}

/** The texts that all of them accept. All at once: two of them alone may have far more states in common than all together. */
export function product(first: Automaton, rest: readonly Automaton[], work: WorkBudget): Automaton {
  const automata = [first, ...rest]
  const empty = automata.find(isEmptyLanguage)
  if (empty !== undefined) return empty
  const positions = new Positions(automata, (states) => !states.includes(NOWHERE))
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
  readonly automaton: Automaton
}

/**
 * Splits all texts by the automata that accept them, as far as they are wanted. Those that none accepts are left out unless `hasOthers`.
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
  const positions = new Positions(automata, (states) => hasOthers || states.some((state) => state !== NOWHERE))
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
    const accepts = Uint8Array.from(kinds, (other) => (other === kind ? 1 : 0))
    return [{ accepting, automaton: minimize(withoutDeadEnds({ alphabet, next, accepts }, work), work) }]
  })
}
