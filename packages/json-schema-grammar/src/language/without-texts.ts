// The texts of an automaton, without some that are listed.

import { codePoint } from '../grammar/expression.ts'
import { letterOf, splitLetters } from './alphabet.ts'
import { NOWHERE, rowOf, withLetters, type Automaton } from './automaton.ts'
import { explore } from './explore.ts'
import { minimize } from './minimize.ts'
import type { WorkBudget } from './work-budget.ts'
import { getOrMake } from '../get-or-make.ts'

/** The beginnings of the texts, as a tree. */
interface Beginning {
  isText: boolean
  /** By letter. */
  readonly next: Map<number, number>
}

/** Where a text differs from all that are listed. */
const DIFFERENT = 0

export function withoutTexts(automaton: Automaton, texts: readonly string[], work: WorkBudget): Automaton {
  const { alphabet, origins } = splitLetters(automaton.alphabet, new Set(Array.from(texts.join(''), codePoint)))
  const separate = withLetters(automaton, alphabet, origins)
  const beginnings = toTree(separate, texts)
  const { length } = beginnings
  const split = (key: number) => [Math.floor(key / length), key % length] as const
  const left = explore(
    {
      alphabet,
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
      const add = () => beginnings.push({ isText: false, next: new Map() }) - 1
      at = beginnings[getOrMake(at.next, letter, add)]!
    }
    at.isText = true
  }
  return beginnings
}
