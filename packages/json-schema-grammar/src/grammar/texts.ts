// Rules about whole texts: one of many, none of many, anything up to a marker. Common prefixes are written once, because a grammar with a
// thousand alternatives in one place is tried a thousand times for each token.

import {
  EMPTY,
  characters,
  choice,
  codePoint,
  invertRanges,
  literal,
  sequence,
  type CharacterRange,
  type Expression,
} from './expression.ts'
import type { GrammarRules } from './grammar-rules.ts'

interface Branch {
  isEnd: boolean
  readonly next: Map<string, Branch>
}

/** Exactly one of the texts. */
export function oneOfTexts(texts: readonly string[], rules: GrammarRules): Expression {
  return printBranch(toTree(texts.map((text) => Array.from(text))), rules)
}

function toTree(texts: readonly (readonly string[])[]): Branch {
  const root: Branch = { isEnd: false, next: new Map() }
  for (const text of texts) {
    let branch = root
    for (const unit of text) {
      let following = branch.next.get(unit)
      if (following === undefined) branch.next.set(unit, (following = { isEnd: false, next: new Map() }))
      branch = following
    }
    branch.isEnd = true
  }
  return root
}

function printBranch(branch: Branch, rules: GrammarRules): Expression {
  const options = [...branch.next].map(([character, next]) => {
    let text = character
    let at = next
    // A run without alternatives becomes one literal.
    while (!at.isEnd && at.next.size === 1) {
      const [[following, after]] = [...at.next] as [[string, Branch]]
      text += following
      at = after
    }
    return at.next.size === 0 ? literal(text) : sequence(text, rules.add('word', printBranch(at, rules)))
  })
  return branch.isEnd ? choice(...options, EMPTY) : choice(...options)
}

/**
 * A text that is none of `texts`. Each of those is a list of units: a character, or an escape that stands for one. `rest` follows as soon
 * as an `allowed` character makes the text different from all of them.
 */
export function noneOfTexts(
  texts: readonly (readonly string[])[],
  allowed: readonly CharacterRange[],
  rest: Expression,
  rules: GrammarRules,
): Expression {
  // Many branches have the same characters.
  const known = new Map<string, Expression | undefined>()
  const otherThan = (units: readonly string[]): Expression | undefined => {
    const key = units.join('\n')
    if (!known.has(key)) {
      const taken = units
        .filter((unit) => Array.from(unit).length === 1)
        .map((unit): CharacterRange => [codePoint(unit), codePoint(unit)])
      const ranges = without(allowed, taken)
      known.set(key, ranges.length === 0 ? undefined : rules.add('different', sequence(characters(...ranges), rest)))
    }
    return known.get(key)
  }
  const visit = (branch: Branch): Expression => {
    const units = [...branch.next.keys()]
    const options = [...branch.next].map(([unit, next]) => sequence(unit, visit(next)))
    const other = otherThan(units)
    if (other !== undefined) options.push(other)
    if (!branch.isEnd) options.push(EMPTY)
    return rules.add('other', choice(...options))
  }
  return visit(toTree(texts))
}

/** Any text that neither contains `mark` nor begins with one of some characters; `mark` is expected to follow. */
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

function without(ranges: readonly CharacterRange[], excluded: readonly CharacterRange[]): readonly CharacterRange[] {
  return excluded.length === 0 ? ranges : invertRanges([...invertRanges(ranges), ...excluded])
}

/** The length of the longest prefix of `wanted` that `seen` ends with. */
function longestBorder(seen: readonly string[], wanted: readonly string[]): number {
  for (let length = Math.min(seen.length, wanted.length); length > 0; length--) {
    const tail = seen.slice(seen.length - length)
    if (tail.every((character, index) => character === wanted[index])) return length
  }
  return 0
}
