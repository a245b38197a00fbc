// Builds an automaton from its start: finds the states that letters lead to, one by one.

import type { Alphabet } from './alphabet.ts'
import { NOWHERE, pickStates, type Automaton } from './automaton.ts'
import { PatternError } from './language.ts'
import type { WorkBudget } from './work-budget.ts'

/** Before equal states are merged. */
export const MAX_STATES = 1500

/** A key stands for a state. Equal states have the same key. */
export interface Exploration {
  alphabet: Alphabet
  start: number
  isAccepted: (key: number) => boolean
  /** Writes the key that each letter leads to, or NOWHERE. */
  follow: (key: number, targets: Int32Array) => void
  maxStates?: number
  /** How much work a step is. */
  effort?: number
}

/** The states that were found, in the order of their keys. */
interface Explored {
  readonly keys: readonly number[]
  readonly next: Int32Array
}

export function explore(exploration: Exploration, work: WorkBudget): Automaton {
  const { alphabet, isAccepted } = exploration
  const { keys, next } = exploreStates(exploration, work)
  const accepted = new Uint8Array(keys.length)
  keys.forEach((key, state) => {
    if (isAccepted(key)) accepted[state] = 1
  })
  return withoutDeadEnds({ alphabet, next, accepts: accepted }, work)
}

/** Without deciding which of the states accept a text. */
export function exploreStates(
  { alphabet: { size }, start, follow, maxStates = MAX_STATES, effort = 1 }: Omit<Exploration, 'isAccepted'>,
  work: WorkBudget,
): Explored {
  const states = new Map<number, number>([[start, 0]])
  const keys = [start]
  const rows: number[] = []
  const targets = new Int32Array(size)
  const stateAt = (key: number): number => {
    const known = states.get(key)
    if (known !== undefined) return known
    if (keys.length >= maxStates) throw new PatternError(`it needs more than ${maxStates} states`)
    states.set(key, keys.length)
    return keys.push(key) - 1
  }
  // Gets to the keys that are added on the way as well.
  for (const key of keys) {
    work.spend(size * effort)
    follow(key, targets)
    // Most letters lead to the same state as the one before.
    let [last, state] = [NOWHERE, NOWHERE]
    for (let letter = 0; letter < size; letter++) {
      const target = targets[letter]!
      if (target !== last) state = (last = target) === NOWHERE ? NOWHERE : stateAt(target)
      rows.push(state)
    }
  }
  return { keys, next: new Int32Array(rows) }
}

/** The same automaton without states from which no text is accepted. */
export function withoutDeadEnds(automaton: Automaton, work: WorkBudget): Automaton {
  const alive = aliveStates(automaton, work)
  if (!alive.includes(0)) return automaton
  const places = new Int32Array(alive.length).fill(NOWHERE)
  const kept: number[] = []
  if (alive[0] === 1)
    alive.forEach((flag, state) => {
      if (flag === 1) places[state] = kept.push(state) - 1
    })
  return pickStates(automaton, kept, places)
}

/**
 * Which states lead to an accepted text. Most states lead to ones that were found later, so going
 * backwards takes few rounds.
 */
function aliveStates({ alphabet: { size }, next, accepts: accepted }: Automaton, work: WorkBudget): Uint8Array {
  const alive = accepted.slice()
  for (let isChanged = true; isChanged;) {
    isChanged = false
    work.spend(alive.length)
    for (let state = alive.length - 1; state >= 0; state--)
      if (alive[state] === 0 && leadsToAny(next, state * size, (state + 1) * size, alive)) {
        alive[state] = 1
        isChanged = true
      }
  }
  return alive
}

function leadsToAny(next: Int32Array, begin: number, end: number, states: Uint8Array): boolean {
  for (let index = begin; index < end; index++) {
    const target = next[index]!
    if (target !== NOWHERE && states[target] === 1) return true
  }
  return false
}
