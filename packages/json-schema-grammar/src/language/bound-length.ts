// Texts of an automaton up to a length, where a state for each length would be too many. Only loops
// make texts long, so each loop gets its share of the length and counts for itself. That leaves out
// some long texts, and never lets a longer one through.

import { NOWHERE, rowOf, type Automaton } from './automaton.ts'
import { explore } from './explore.ts'
import { PatternError } from './language.ts'
import { groupsOf } from './loops.ts'
import type { WorkBudget } from './work-budget.ts'

export interface LengthBound {
  max: number
  maxStates: number
  leastShare: number
}

export function boundLength(
  automaton: Automaton,
  { max, maxStates, leastShare }: LengthBound,
  work: WorkBudget,
): Automaton {
  const groups = groupsOf(automaton)
  const { steps = 0, loops = 0 } = groups[0] ?? {}
  const inLoops = groups.filter((group) => group?.isLoop).length
  const share = Math.min(Math.floor((max - steps) / Math.max(1, loops)), Math.floor(maxStates / Math.max(1, inLoops)))
  if (share < Math.min(leastShare, max)) throw new PatternError(`it needs more than ${maxStates} states for its length`)
  const width = share + 1
  return explore(
    {
      alphabet: automaton.alphabet,
      start: 0,
      isAccepted: (key) => automaton.accepts[Math.floor(key / width)] === 1,
      follow: (key, targets) => {
        const [state, count] = [Math.floor(key / width), key % width]
        rowOf(automaton, state).forEach((target, letter) => {
          const isInside = target !== NOWHERE && groups[state] === groups[target]
          const isOver = target === NOWHERE || (isInside && count === share)
          targets[letter] = isOver ? NOWHERE : target * width + (isInside ? count + 1 : 0)
        })
      },
      maxStates: maxStates * 2,
    },
    work,
  )
}

/** Whether no text is longer than `max` anyway. */
export function isShort(automaton: Automaton, max: number): boolean {
  const [start] = groupsOf(automaton)
  return start === undefined || (start.loops === 0 && start.steps <= max)
}
