// A deterministic automaton: at most one next state per letter. Every state can still reach an accepted text, so that a model never gets
// into a dead end.

import { letterOf, type Alphabet } from './alphabet.ts'
import { PatternError } from './language.ts'
import { work } from './work.ts'

/** Before equal states are merged. */
export const MAX_STATES = 1500

export const NOWHERE = -1

export interface Automaton {
  readonly alphabet: Alphabet
  /** The next state for each letter, one row of `alphabet.size` per state. State 0 is the start; without states, no text is accepted. */
  readonly next: Int32Array
  readonly accepts: Uint8Array
}

export function accepts({ alphabet, next, accepts: accepted }: Automaton, text: string): boolean {
  if (accepted.length === 0) return false
  let state = 0
  for (const character of text) {
    const letter = letterOf(alphabet, character.codePointAt(0)!)
    state = letter === -1 ? NOWHERE : next[state * alphabet.size + letter]!
    if (state === NOWHERE) return false
  }
  return accepted[state] === 1
}

export function isEmptyLanguage({ accepts: accepted }: Automaton): boolean {
  return accepted.length === 0
}

/** Collects the states of an automaton while it is being built. A number stands for a state; `step` finds where each letter leads. */
export function explore(
  alphabet: Alphabet,
  start: number,
  isAccepted: (key: number) => boolean,
  step: (key: number, letter: number) => number,
  limit = MAX_STATES,
): Automaton {
  const known = new Map([[start, 0]])
  const keys = [start]
  const rows: number[] = []
  for (let state = 0; state < keys.length; state++) {
    work(alphabet.size)
    for (let letter = 0; letter < alphabet.size; letter++) {
      const key = step(keys[state]!, letter)
      let target = key === NOWHERE ? NOWHERE : known.get(key)
      if (target === undefined) {
        if (keys.length >= limit) throw new PatternError(`it needs more than ${limit} states`)
        known.set(key, (target = keys.length))
        keys.push(key)
      }
      rows.push(target)
    }
  }
  return trim({
    alphabet,
    next: Int32Array.from(rows),
    accepts: Uint8Array.from(keys, (key) => (isAccepted(key) ? 1 : 0)),
  })
}

/** The rows of these states, with their targets renumbered. */
export function pickRows(
  next: Int32Array,
  size: number,
  states: readonly number[],
  placeOf: (target: number) => number,
): Int32Array {
  const rows = new Int32Array(states.length * size)
  let at = 0
  for (const state of states)
    for (let letter = 0; letter < size; letter++) {
      const target = next[state * size + letter]!
      rows[at++] = target === NOWHERE ? NOWHERE : placeOf(target)
    }
  return rows
}

/** The same automaton without states from which no text is accepted. */
function trim(automaton: Automaton): Automaton {
  const { alphabet, next, accepts: accepted } = automaton
  const alive = aliveStates(automaton)
  if (!alive.includes(0)) return automaton
  if (alive[0] !== 1) return { alphabet, next: new Int32Array(), accepts: new Uint8Array() }
  const places = new Int32Array(accepted.length).fill(NOWHERE)
  const kept: number[] = []
  alive.forEach((flag, state) => {
    if (flag === 1) places[state] = kept.push(state) - 1
  })
  const rows = pickRows(next, alphabet.size, kept, (target) => places[target]!)
  return { alphabet, next: rows, accepts: Uint8Array.from(kept, (state) => accepted[state]!) }
}

/** Which states lead to an accepted text. Most states lead to ones that were found later, so going backwards takes few rounds. */
function aliveStates({ alphabet: { size }, next, accepts: accepted }: Automaton): Uint8Array {
  const alive = Uint8Array.from(accepted)
  for (let isChanged = true; isChanged;) {
    isChanged = false
    work(alive.length)
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
