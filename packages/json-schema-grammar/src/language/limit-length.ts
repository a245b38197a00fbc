// The texts of an automaton with a length in bounds.

import { NOWHERE, isEmptyLanguage, rowOf, type Automaton } from './automaton.ts'
import { boundLength, isShort } from './bound-length.ts'
import { MAX_STATES, explore } from './explore.ts'
import { PatternError } from './language.ts'
import { minimize } from './minimize.ts'
import { WorkSpent, type WorkBudget } from './work-budget.ts'

/** A pattern with a maximum length has a state for each length. */
const MAX_COUNTED = 400
/** Loops that count for themselves need fewer states for the same length. */
const MAX_BOUNDED = 1100

export interface Length {
  readonly min: number
  readonly max: number
  /** A loop has to be able to repeat at least this often. */
  readonly share?: number
}

/** If all lengths need too many states, some of the long texts are left out. */
export function limitLength(automaton: Automaton, { min, max, share = 1 }: Length, work: WorkBudget): Automaton {
  if (isEmptyLanguage(automaton)) return automaton
  if (max !== Number.POSITIVE_INFINITY && isShort(automaton, max))
    return limitLength(automaton, { min, max: Number.POSITIVE_INFINITY }, work)
  if (min === 0 && max === Number.POSITIVE_INFINITY) return automaton
  const top = max === Number.POSITIVE_INFINITY ? min : max
  const isCounted = max === Number.POSITIVE_INFINITY || automaton.accepts.length * (top + 1) <= 2 * MAX_COUNTED
  if (isCounted) return countLength(automaton, { min, max }, work)
  try {
    return countLength(automaton, { min, max }, work, MAX_COUNTED)
  } catch (error) {
    if (!(error instanceof PatternError) || error instanceof WorkSpent) throw error
    const unbounded = { min, max: Number.POSITIVE_INFINITY }
    const long = min === 0 ? automaton : minimize(countLength(automaton, unbounded, work), work)
    return boundLength(long, { max, maxStates: MAX_BOUNDED, leastShare: share }, work)
  }
}

/** With a state for each state and each length. */
export function countLength(
  automaton: Automaton,
  { min, max }: Length,
  work: WorkBudget,
  maxStates = MAX_STATES,
): Automaton {
  const states = automaton.accepts.length
  const top = max === Number.POSITIVE_INFINITY ? min : max
  return explore(
    {
      alphabet: automaton.alphabet,
      start: 0,
      isAccepted: (key) => automaton.accepts[key % states] === 1 && Math.floor(key / states) >= min,
      follow: (key, targets) => {
        const count = Math.floor(key / states)
        const isLongest = count === top && top === max
        const longer = Math.min(count + 1, top) * states
        rowOf(automaton, key % states).forEach((target, letter) => {
          targets[letter] = isLongest || target === NOWHERE ? NOWHERE : longer + target
        })
      },
      maxStates,
    },
    work,
  )
}
