// The texts that several automata all accept.

import { NOWHERE, isEmptyLanguage, targetOf, type Automaton } from './automaton.ts'
import { explore } from './explore.ts'
import type { WorkBudget } from './work-budget.ts'

/** Most states of an intersection lead nowhere, or turn out to be equal. */
const MAX_PRODUCT = 4000

/** A state in each of the automata. */
type Position = readonly { readonly automaton: Automaton; readonly state: number }[]

// All at once: two of them alone may have far more states in common than all together.
export function product(first: Automaton, rest: readonly Automaton[], work: WorkBudget): Automaton {
  const automata = [first, ...rest]
  const empty = automata.find(isEmptyLanguage)
  if (empty !== undefined) return empty
  const known = new Map<string, Position>()
  const intern = (position: Position): Position => {
    const key = position.map(({ state }) => state).join(' ')
    const found = known.get(key) ?? position
    known.set(key, found)
    return found
  }
  return explore<Position>(
    {
      alphabet: first.alphabet,
      start: intern(automata.map((automaton) => ({ automaton, state: 0 }))),
      isAccepted: (position) => position.every(({ automaton, state }) => automaton.accepts[state] === 1),
      step: (position, letter) => {
        const next = position.map(({ automaton, state }) => ({ automaton, state: targetOf(automaton, state, letter) }))
        return next.some(({ state }) => state === NOWHERE) ? undefined : intern(next)
      },
      maxStates: MAX_PRODUCT,
    },
    work,
  )
}
