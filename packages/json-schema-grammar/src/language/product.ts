// The texts that several automata all accept.

import { NOWHERE, isEmptyLanguage, targetOf, type Automaton } from './automaton.ts'
import { explore } from './explore.ts'
import type { WorkBudget } from './work-budget.ts'

/** Most states of an intersection lead nowhere, or turn out to be equal. */
const MAX_PRODUCT = 4000

/** A state of each automaton, in their order. */
type Position = readonly number[]

// All at once: two of them alone may have far more states in common than all together.
export function product(first: Automaton, rest: readonly Automaton[], work: WorkBudget): Automaton {
  const automata = [first, ...rest]
  const empty = automata.find(isEmptyLanguage)
  if (empty !== undefined) return empty
  const known = new Map<string, Position>()
  const intern = (position: Position): Position => {
    const key = position.join(' ')
    const found = known.get(key)
    if (found === undefined) known.set(key, position)
    return found ?? position
  }
  return explore<Position>(
    {
      alphabet: first.alphabet,
      start: intern(automata.map(() => 0)),
      isAccepted: (position) => automata.every(({ accepts }, index) => accepts[position[index]!] === 1),
      step: (position, letter) => {
        const next = automata.map((automaton, index) => targetOf(automaton, position[index]!, letter))
        return next.includes(NOWHERE) ? undefined : intern(next)
      },
      maxStates: MAX_PRODUCT,
    },
    work,
  )
}
