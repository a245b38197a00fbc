// Several automata that read the same text at the same time.

import { NOWHERE, isEmptyLanguage, targetOf, type Automaton } from './automaton.ts'
import { explore, exploreStates, withoutDeadEnds } from './explore.ts'
import { minimize } from './minimize.ts'
import type { WorkBudget } from './work-budget.ts'

/** Most states of an intersection lead nowhere, or turn out to be equal. */
const MAX_PRODUCT = 4000
/** More than the states of any automaton. */
const WIDTH = 8192

/** A state of each automaton, in their order. */
type Position = readonly number[]

/** The positions that were reached. Each has a number, because numbers are quick to compare. */
class Positions {
  readonly #automata: readonly Automaton[]
  readonly #list: Position[] = []
  /** The numbers of all positions of the first automaton, the first two, and so on. */
  readonly #numbers: readonly Map<number, number>[]

  constructor(automata: readonly Automaton[]) {
    this.#automata = automata
    this.#numbers = automata.map(() => new Map<number, number>())
  }

  start(): number {
    return this.#numberOf(this.#automata.map((automaton) => (isEmptyLanguage(automaton) ? NOWHERE : 0)))
  }

  at(number: number): Position {
    return this.#list[number]!
  }

  /** The automata that accept the text that led here. */
  accepting(number: number): boolean[] {
    const position = this.at(number)
    return this.#automata.map(({ accepts }, index) => accepts[position[index]!] === 1)
  }

  /** Undefined if `isPossible` says so. */
  step(number: number, letter: number, isPossible: (position: Position) => boolean): number | undefined {
    const position = this.at(number)
    const next = position.map((state, index) =>
      state === NOWHERE ? NOWHERE : targetOf(this.#automata[index]!, state, letter),
    )
    return isPossible(next) ? this.#numberOf(next) : undefined
  }

  #numberOf(position: Position): number {
    let number = 0
    for (let index = 0; index < position.length; index++) {
      const numbers = this.#numbers[index]!
      const key = number * WIDTH + position[index]! + 1
      const known = numbers.get(key)
      if (known === undefined) numbers.set(key, numbers.size)
      number = known ?? numbers.size - 1
    }
    this.#list[number] ??= position
    return number
  }
}

/** The texts that all of them accept. All at once: two of them alone may have far more states in common than all together. */
export function product(first: Automaton, rest: readonly Automaton[], work: WorkBudget): Automaton {
  const automata = [first, ...rest]
  const empty = automata.find(isEmptyLanguage)
  if (empty !== undefined) return empty
  const positions = new Positions(automata)
  const isPossible = (position: Position) => !position.includes(NOWHERE)
  return explore<number>(
    {
      alphabet: first.alphabet,
      start: positions.start(),
      isAccepted: (number) => positions.accepting(number).every(Boolean),
      step: (number, letter) => positions.step(number, letter, isPossible),
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

/** Splits all texts by the automata that accept them. Those that none accepts are left out unless `hasOthers`. */
export function split(automata: readonly Automaton[], hasOthers: boolean, work: WorkBudget): Cell[] {
  const [first] = automata
  if (first === undefined) return []
  const { alphabet } = first
  const positions = new Positions(automata)
  const isPossible = (position: Position) => hasOthers || position.some((state) => state !== NOWHERE)
  const { keys, next } = exploreStates<number>(
    {
      alphabet,
      start: positions.start(),
      step: (number, letter) => positions.step(number, letter, isPossible),
      maxStates: MAX_PRODUCT,
      effort: automata.length,
    },
    work,
  )
  const found = keys.map((number) => positions.accepting(number))
  const kinds = new Map(found.map((accepting) => [accepting.join(' '), accepting]))
  return [...kinds].flatMap(([kind, accepting]) => {
    if (!hasOthers && !accepting.includes(true)) return []
    const accepts = Uint8Array.from(found, (other) => (other.join(' ') === kind ? 1 : 0))
    return [{ accepting, automaton: minimize(withoutDeadEnds({ alphabet, next, accepts }, work), work) }]
  })
}
