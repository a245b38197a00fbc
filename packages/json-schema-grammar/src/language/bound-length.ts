// Texts of an automaton up to a length, where a state for each length would be too many. Only loops make texts long, so each loop gets its
// share of the length and counts for itself. That leaves out some long texts, and never lets a longer one through.

import { NOWHERE, targetOf, type Automaton } from './automaton.ts'
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
  return explore<number>(
    {
      alphabet: automaton.alphabet,
      start: 0,
      isAccepted: (key) => automaton.accepts[Math.floor(key / width)] === 1,
      step: (key, letter) => {
        const [state, count] = [Math.floor(key / width), key % width]
        const target = targetOf(automaton, state, letter)
        if (target === NOWHERE) return undefined
        const isInside = groups[state] === groups[target]
        if (isInside && count === share) return undefined
        return target * width + (isInside ? count + 1 : 0)
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
