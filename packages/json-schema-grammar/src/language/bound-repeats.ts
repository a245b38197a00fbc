// Texts up to a length, for automata whose loops are all of a single state, like those of
// `[a-z]+-\d+`. Each loop gets its share of the length and becomes a counted repetition of the
// grammar, so no states are needed for counting. That leaves out some long texts.

import { MAX_COUNT } from '../grammar/grammar-rules.ts'
import type { Automaton } from './automaton.ts'
import { isShort } from './bound-length.ts'
import { countLength, type Length } from './limit-length.ts'
import { groupsOf, type Group } from './loops.ts'
import { minimize } from './minimize.ts'
import type { WorkBudget } from './work-budget.ts'

/** How often each state with a loop can repeat it; without an entry, as often as it likes. */
export interface BoundedAutomaton {
  readonly automaton: Automaton
  readonly repeats: ReadonlyMap<number, number>
}

/** Up to so many states, each length is counted: that leaves no text out. */
const FEW_STATES = 128
/** With several loops, shares leave more out. */
const MORE_STATES = 400

/** Undefined if the automaton has other loops, or if counting is better. */
export function boundRepeats(automaton: Automaton, length: Length, work: WorkBudget): BoundedAutomaton | undefined {
  const { min, max, share: least = 1 } = length
  if (max === Number.POSITIVE_INFINITY || isShort(automaton, max)) return undefined
  const counting = automaton.accepts.length * (max + 1)
  if (counting <= FEW_STATES) return undefined
  const unbounded = { min, max: Number.POSITIVE_INFINITY }
  const long = min === 0 ? automaton : minimize(countLength(automaton, unbounded, work), work)
  const groups = groupsOf(long)
  const { steps = 0, loops = 0 } = groups[0] ?? {}
  if (!areSingle(groups) || (loops > 1 && counting <= MORE_STATES)) return undefined
  const share = Math.min(Math.floor((max - steps) / loops), MAX_COUNT)
  if (share < Math.min(least, max)) return undefined
  return {
    automaton: long,
    repeats: new Map(groups.flatMap((group, state) => (group?.isLoop ? [[state, share]] : []))),
  }
}

function areSingle(groups: readonly (Group | undefined)[]): boolean {
  const loops = groups.filter((group) => group?.isLoop)
  return new Set(loops).size === loops.length
}
