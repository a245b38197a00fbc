// The texts of an automaton, without some that are listed.

import { codePoint } from '../grammar/expression.ts'
import { letterOf, splitLetters } from './alphabet.ts'
import { NOWHERE, rowOf, type Automaton } from './automaton.ts'
import { explore } from './explore.ts'
import { minimize } from './minimize.ts'
import type { WorkBudget } from './work-budget.ts'

/** The beginnings of the texts, as a tree. */
interface Beginning {
  isText: boolean
  /** By letter. */
  readonly next: Map<number, number>
}

/** Where a text differs from all that are listed. */
const DIFFERENT = 0

export function withoutTexts(automaton: Automaton, texts: readonly string[], work: WorkBudget): Automaton {
  const separate = withLetters(automaton, new Set(texts.flatMap((text) => Array.from(text, codePoint))))
  const beginnings = toTree(separate, texts)
  const { length } = beginnings
  const split = (key: number) => [Math.floor(key / length), key % length] as const
  const left = explore(
    {
      alphabet: separate.alphabet,
      start: 1,
      isAccepted: (key) => {
        const [state, at] = split(key)
        return separate.accepts[state] === 1 && beginnings[at]?.isText !== true
      },
      follow: (key, targets) => {
        const [state, at] = split(key)
        rowOf(separate, state).forEach((target, letter) => {
          targets[letter] = target === NOWHERE ? NOWHERE : target * length + DIFFERENT
        })
        for (const [letter, next] of beginnings[at]!.next) if (targets[letter] !== NOWHERE) targets[letter]! += next
      },
    },
    work,
  )
  return minimize(left, work)
}

/** The same automaton, in which each of the characters is a letter of its own. */
function withLetters({ alphabet, next, accepts }: Automaton, codes: ReadonlySet<number>): Automaton {
  const { alphabet: separate, origins } = splitLetters(alphabet, codes)
  const rows = new Int32Array(accepts.length * separate.size).fill(NOWHERE)
  // A letter of which every character became one of its own is left without any, and must lead nowhere: nothing can be written for it.
  const used = new Set(separate.intervals.map(({ letter }) => letter))
  for (let state = 0; state < accepts.length; state++)
    for (const [letter, origin] of origins.entries())
      if (used.has(letter)) rows[state * separate.size + letter] = next[state * alphabet.size + origin]!
  return { alphabet: separate, next: rows, accepts }
}

/** The first stands for texts that are different, the second for the empty text. */
function toTree({ alphabet }: Automaton, texts: readonly string[]): readonly Beginning[] {
  const beginnings: Beginning[] = [
    { isText: false, next: new Map() },
    { isText: false, next: new Map() },
  ]
  for (const text of texts) {
    let at = beginnings[1]!
    for (const character of text) {
      const letter = letterOf(alphabet, codePoint(character))
      const number = at.next.get(letter) ?? beginnings.push({ isText: false, next: new Map() }) - 1
      at.next.set(letter, number)
      at = beginnings[number]!
    }
    at.isText = true
  }
  return beginnings
}
