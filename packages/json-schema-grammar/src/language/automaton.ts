// A deterministic automaton: at most one next state per letter. Every state can still reach an
// accepted text, so that a model never gets into a dead end.

import { codePoint } from '../grammar/expression.ts'
import { NO_LETTER, letterOf, type Alphabet } from './alphabet.ts'

export const NOWHERE = -1

export interface Automaton {
  readonly alphabet: Alphabet
  /**
   * The next state for each letter, one row of `alphabet.size` per state. State 0 is the start;
   * without states, no text is accepted.
   */
  readonly next: Int32Array
  readonly accepts: Uint8Array
}

/** The next state, or NOWHERE. */
function targetOf({ alphabet, next }: Automaton, state: number, letter: number): number {
  return next[state * alphabet.size + letter]!
}

export function accepts(automaton: Automaton, text: string): boolean {
  if (isEmptyLanguage(automaton)) return false
  let state = 0
  for (const character of text) {
    const letter = letterOf(automaton.alphabet, codePoint(character))
    state = letter === NO_LETTER ? NOWHERE : targetOf(automaton, state, letter)
    if (state === NOWHERE) return false
  }
  return automaton.accepts[state] === 1
}

export function isEmptyLanguage({ accepts: accepted }: Automaton): boolean {
  return accepted.length === 0
}

/** The length of the shortest text. The automaton has to accept one. */
export function shortestText({ alphabet: { size }, next, accepts: accepted }: Automaton): number {
  const lengths = new Map([[0, 0]])
  // Gets to the states that are added on the way as well, the nearest ones first.
  for (const [state, length] of lengths) {
    if (accepted[state] === 1) return length
    for (const target of next.subarray(state * size, (state + 1) * size))
      if (target !== NOWHERE && !lengths.has(target)) lengths.set(target, length + 1)
  }
  return Number.POSITIVE_INFINITY
}

/** The letters that lead from a state to each other one. */
export function lettersByTarget(automaton: Automaton, state: number): Map<number, number[]> {
  const found = new Map<number, number[]>()
  for (let letter = 0; letter < automaton.alphabet.size; letter++) {
    const target = targetOf(automaton, state, letter)
    if (target === NOWHERE) continue
    const letters = found.get(target)
    if (letters === undefined) found.set(target, [letter])
    else letters.push(letter)
  }
  return found
}

/** The next states for all letters. */
export function rowOf({ alphabet: { size }, next }: Automaton, state: number): Int32Array {
  return next.subarray(state * size, (state + 1) * size)
}

/**
 * The same automaton with other letters. `origins` says which letter each of them comes from, or
 * NO_LETTER if it leads nowhere.
 */
export function withLetters(
  { alphabet, next, accepts: accepted }: Automaton,
  others: Alphabet,
  origins: readonly number[],
): Automaton {
  const rows = new Int32Array(accepted.length * others.size)
  let at = 0
  for (let state = 0; state < accepted.length; state++)
    for (const origin of origins) rows[at++] = origin === NO_LETTER ? NOWHERE : next[state * alphabet.size + origin]!
  return { alphabet: others, next: rows, accepts: accepted }
}

/** The automaton of these states alone. `places` says which of them each state becomes. */
export function pickStates(
  { alphabet, next, accepts: accepted }: Automaton,
  states: readonly number[],
  places: Int32Array,
): Automaton {
  const { size } = alphabet
  const rows = new Int32Array(states.length * size)
  let at = 0
  for (const state of states)
    for (let letter = 0; letter < size; letter++) {
      const target = next[state * size + letter]!
      rows[at++] = target === NOWHERE ? NOWHERE : places[target]!
    }
  return { alphabet, next: rows, accepts: Uint8Array.from(states, (state) => accepted[state]!) }
}
