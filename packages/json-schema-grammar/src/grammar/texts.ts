// Rules about whole texts: one of many, anything up to a marker. Common prefixes are written once,
// because a grammar with a thousand alternatives in one place is tried a thousand times for each
// token.

import {
  EMPTY,
  characters,
  choice,
  codePoint,
  invertRanges,
  literal,
  sequence,
  without,
  type CharacterRange,
  type Expression,
} from './expression.ts'
import { onlyOne } from '../only-one.ts'
import { groupBy } from './group-by.ts'
import type { GrammarRules } from './grammar-rules.ts'

/** Exactly one of the texts. */
export function oneOfTexts(texts: readonly string[], rules: GrammarRules): Expression {
  return oneOfRests([...new Set(texts)], 0, rules)
}

/** The texts are equal up to `begin`, and different after it. */
function oneOfRests(texts: readonly string[], begin: number, rules: GrammarRules): Expression {
  const groups = groupBy(texts, (text) => characterAt(text, begin))
  const options: Expression[] = []
  for (const [character, group] of groups) {
    if (character === '') continue
    const end = onlyOne(group)?.length ?? commonLength(group, begin + character.length)
    const common = literal(group[0]!.slice(begin, end))
    options.push(group.length === 1 ? common : sequence(common, rules.add('word', oneOfRests(group, end, rules))))
  }
  return groups.has('') ? choice(...options, EMPTY) : choice(...options)
}

/** Up to where texts are equal, of which at least the first `length` places are. */
function commonLength([first = '', ...others]: readonly string[], length: number): number {
  for (let at = length; ; at += characterAt(first, at).length) {
    const next = characterAt(first, at)
    if (next === '' || !others.every((other) => characterAt(other, at) === next)) return at
  }
}

function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at)
  return code === undefined ? '' : String.fromCodePoint(code)
}

/**
 * Any text that neither contains `mark` nor begins with one of some characters; `mark` is expected
 * to follow.
 */
export function textUpTo(mark: string, rules: GrammarRules, notFirst: readonly CharacterRange[] = []): Expression {
  const wanted = Array.from(mark)
  const first = rules.reserve('until')
  const states = [first, ...wanted.slice(1).map(() => rules.reserve('until'))]
  const bodyOf = (matched: number, excluded: readonly CharacterRange[] = []) => {
    const followed = new Map<Expression, CharacterRange[]>([[first.reference, otherCharacters(wanted)]])
    for (const character of new Set(wanted)) {
      const next = states[longestBorder([...wanted.slice(0, matched), character], wanted)]?.reference
      const code = codePoint(character)
      if (next !== undefined) followed.set(next, [...(followed.get(next) ?? []), [code, code]])
    }
    const options = [...followed].map(([next, ranges]) => ({ next, ranges: without(ranges, excluded) }))
    return choice(
      ...options
        .filter(({ ranges }) => ranges.length > 0)
        .map(({ next, ranges }) => sequence(characters(...ranges), next)),
      EMPTY,
    )
  }
  for (const [matched, { define }] of states.entries()) define(bodyOf(matched))
  return notFirst.length === 0 ? first.reference : rules.add('first', bodyOf(0, notFirst))
}

function otherCharacters(known: readonly string[]): CharacterRange[] {
  const ranges = known.map((character): CharacterRange => [codePoint(character), codePoint(character)])
  return [...invertRanges(ranges, 1)]
}

/** The length of the longest prefix of `wanted` that `seen` ends with. */
function longestBorder(seen: readonly string[], wanted: readonly string[]): number {
  for (let length = Math.min(seen.length, wanted.length); length > 0; length--) {
    const tail = seen.slice(seen.length - length)
    if (tail.every((character, index) => character === wanted[index])) return length
  }
  return 0
}
