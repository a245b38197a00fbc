// Writes an automaton as grammar rules, one per state. At each character only one rule continues,
// so a grammar made this way costs llama.cpp little per token, however the pattern was written.

import { counted } from '../grammar/counted.ts'
import { EMPTY, choice, sequence, type Expression } from '../grammar/expression.ts'
import type { GrammarRules, ReservedRule } from '../grammar/grammar-rules.ts'
import { EMPTY_LIST, NumberLists } from '../grammar/number-lists.ts'
import { onlyOne } from '../only-one.ts'
import { charactersOf } from './alphabet.ts'
import { lettersByTarget, type Automaton } from './automaton.ts'
import type { WriteCharacters } from '../grammar/write-characters.ts'

interface State {
  readonly isAccepted: boolean
  readonly edges: Edge[]
  /** The number of edges that lead here. */
  entries: number
  /** Undefined if the state is written where it is needed. */
  rule: ReservedRule | undefined
}

interface Edge {
  readonly text: Expression
  readonly target: State
}

/**
 * The automaton has to accept a text. `repeats` says for some states how often the loop from there
 * back to it can be taken.
 */
export function toExpression(
  automaton: Automaton,
  write: WriteCharacters,
  rules: GrammarRules,
  repeats: ReadonlyMap<number, number> = new Map(),
): Expression {
  const states = readStates(automaton, write)
  const start = rules.reserve('state')
  for (const [index, state] of states.entries())
    if (index === 0) state.rule = start
    else if (!isEnd(state) && !isOnTheWay(state)) state.rule = rules.reserve('state')
  for (const [index, state] of states.entries()) state.rule?.define(bodyOf(state, repeats.get(index), rules))
  return start.reference
}

function bodyOf(state: State, most: number | undefined, rules: GrammarRules): Expression {
  const loop = most === undefined ? undefined : state.edges.find(({ target }) => target === state)
  const options = state.edges.filter((edge) => edge !== loop).map(({ text, target }) => sequence(text, from(target)))
  const rest = options.length === 0 ? EMPTY : choice(...options, ...(state.isAccepted ? [EMPTY] : []))
  return loop === undefined || most === undefined ? rest : sequence(counted(loop.text, 0, most, rules), rest)
}

function readStates(automaton: Automaton, write: WriteCharacters): State[] {
  const states = Array.from(automaton.accepts, (flag): State => ({
    isAccepted: flag === 1,
    edges: [],
    entries: 0,
    rule: undefined,
  }))
  const writeLetters = writeOnce(automaton, write)
  for (const [index, { edges }] of states.entries())
    for (const [to, letters] of lettersByTarget(automaton, index)) {
      const target = states[to]
      if (target === undefined) continue
      edges.push({ text: writeLetters(letters), target })
      target.entries += 1
    }
  return states
}

function writeOnce({ alphabet }: Automaton, write: WriteCharacters): (letters: readonly number[]) => Expression {
  const lists = new NumberLists()
  const written: Expression[] = []
  return (letters) => {
    let list = EMPTY_LIST
    for (const letter of letters) list = lists.extended(list, letter)
    return (written[list] ??= write(charactersOf(alphabet, new Set(letters))))
  }
}

function isEnd({ isAccepted, edges }: State): boolean {
  return isAccepted && edges.length === 0
}

/** A state with one way in and one way out needs no rule of its own. */
function isOnTheWay({ isAccepted, edges, entries }: State): boolean {
  return entries === 1 && !isAccepted && edges.length === 1
}

function from(state: State): Expression {
  const parts: Expression[] = []
  let at = state
  for (let edge = onlyOne(at.edges); at.rule === undefined && edge !== undefined; edge = onlyOne(at.edges)) {
    parts.push(edge.text)
    at = edge.target
  }
  return sequence(...parts, at.rule?.reference ?? EMPTY)
}
