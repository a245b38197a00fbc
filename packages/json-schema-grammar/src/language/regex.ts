// A regular expression as it is written, with anchors and lookaheads. `languageOf` turns it into
// the set of texts it matches.

import type { CharacterRange } from '../grammar/expression.ts'
import {
  ANY_TEXT,
  EMPTY_TEXT,
  NONE,
  PatternError,
  allOf,
  anyOf,
  hasEmptyText,
  inSequence,
  not,
  times,
  ANY_CHARACTER,
  type Language,
} from './language.ts'
import { getOrMake } from '../get-or-make.ts'

export type Regex =
  | { readonly type: 'characters'; readonly ranges: readonly CharacterRange[] }
  | { readonly type: 'sequence'; readonly parts: readonly Regex[] }
  | { readonly type: 'choice'; readonly options: readonly Regex[] }
  | { readonly type: 'repeat'; readonly part: Regex; readonly min: number; readonly max: number }
  | { readonly type: 'begin' }
  | { readonly type: 'end' }
  | { readonly type: 'lookahead'; readonly part: Regex; readonly isNegative: boolean }

/** A part with an assertion is written out for each repetition. */
const MAX_UNROLLED = 64
const FEWER_REPETITIONS = 64

/** Every text in which the expression matches somewhere, as JSON Schema has it. */
export function languageOf(regex: Regex): Language {
  if (beginsAnchored(regex)) return followedBy(regex, ANY_TEXT, true)
  const later = inSequence(ANY_CHARACTER, ANY_TEXT, followedBy(regex, ANY_TEXT, false))
  return hasBegin(regex)
    ? anyOf(followedBy(regex, ANY_TEXT, true), later)
    : inSequence(ANY_TEXT, followedBy(regex, ANY_TEXT, false))
}

/**
 * Some of the texts: those that the expression matches from beginning to end, with fewer
 * repetitions.
 */
export function simplerLanguageOf(regex: Regex): Language {
  return followedBy(withFewerRepetitions(regex), EMPTY_TEXT, true)
}

function withFewerRepetitions(regex: Regex): Regex {
  switch (regex.type) {
    case 'sequence':
      return { ...regex, parts: regex.parts.map(withFewerRepetitions) }
    case 'choice':
      return { ...regex, options: regex.options.map(withFewerRepetitions) }
    case 'repeat': {
      const { part, min, max } = regex
      const most = max === Number.POSITIVE_INFINITY ? max : Math.min(max, min + FEWER_REPETITIONS)
      return { type: 'repeat', part: withFewerRepetitions(part), min, max: most }
    }
    // With fewer repetitions ahead, a negative lookahead would let more through.
    case 'lookahead':
    case 'characters':
    case 'begin':
    case 'end':
      return regex
    default:
      return regex satisfies never
  }
}

function beginsAnchored(regex: Regex): boolean {
  switch (regex.type) {
    case 'begin':
      return true
    case 'sequence':
      return regex.parts.slice(0, 1).some(beginsAnchored)
    case 'choice':
      return regex.options.every(beginsAnchored)
    case 'characters':
    case 'repeat':
    case 'end':
    case 'lookahead':
      return false
    default:
      return regex satisfies never
  }
}

function hasBegin(regex: Regex): boolean {
  return anyInside(regex, ({ type }) => type === 'begin')
}

function anyInside(regex: Regex, test: (regex: Regex) => boolean): boolean {
  if (test(regex)) return true
  if (regex.type === 'sequence') return regex.parts.some((part) => anyInside(part, test))
  if (regex.type === 'choice') return regex.options.some((option) => anyInside(option, test))
  return (regex.type === 'repeat' || regex.type === 'lookahead') && anyInside(regex.part, test)
}

function isPlain(regex: Regex): boolean {
  return !anyInside(regex, ({ type }) => type === 'begin' || type === 'end' || type === 'lookahead')
}

/**
 * The texts that match `regex` and then are in `rest`. Assertions look at the rest, so it has to be
 * known.
 */
function followedBy(regex: Regex, rest: Language, isAtBegin: boolean): Language {
  if (isPlain(regex)) return inSequence(plain(regex), rest)
  switch (regex.type) {
    case 'sequence':
      return sequenceFollowedBy(regex.parts, rest, isAtBegin)
    case 'choice':
      return anyOf(...regex.options.map((option) => followedBy(option, rest, isAtBegin)))
    case 'repeat':
      return repeatFollowedBy(regex, rest, isAtBegin)
    case 'begin':
      return isAtBegin ? rest : NONE
    case 'end':
      return hasEmptyText(rest) ? EMPTY_TEXT : NONE
    case 'lookahead': {
      const ahead = followedBy(regex.part, ANY_TEXT, isAtBegin)
      return allOf(regex.isNegative ? not(ahead) : ahead, rest)
    }
    case 'characters':
      return inSequence(plain(regex), rest)
    default:
      return regex satisfies never
  }
}

// A part is at the beginning if nothing before it can take a character.
function sequenceFollowedBy(parts: readonly Regex[], rest: Language, isAtBegin: boolean): Language {
  const firstTaking = parts.findIndex((part) => !isAssertion(part))
  const last = firstTaking === -1 ? parts.length : firstTaking
  let following = rest
  /**
   * Plain parts before it, which make one sequence with it: thousands of characters are not put
   * before it one by one.
   */
  let before: Language[] = []
  for (const [index, part] of [...parts.entries()].toReversed()) {
    if (isPlain(part)) {
      before.push(plain(part))
      continue
    }
    if (index > last && hasBegin(part) && canBeEmpty(parts.slice(0, index)))
      throw new PatternError('"^" is only supported at the beginning')
    following = followedBy(part, inSequence(...before.toReversed(), following), isAtBegin && index <= last)
    before = []
  }
  return inSequence(...before.toReversed(), following)
}

function isAssertion({ type }: Regex): boolean {
  return type === 'begin' || type === 'end' || type === 'lookahead'
}

function canBeEmpty(parts: readonly Regex[]): boolean {
  return parts.every((part) => !isPlain(part) || hasEmptyText(plain(part)))
}

function repeatFollowedBy(
  { part, min, max }: Extract<Regex, { type: 'repeat' }>,
  rest: Language,
  isAtBegin: boolean,
): Language {
  const unrolled = max === Number.POSITIVE_INFINITY ? undefined : max
  if (unrolled === undefined) return tempered(part, min, rest)
  if (unrolled > MAX_UNROLLED) throw new PatternError("a repeated lookahead can't be enforced")
  let following = rest
  for (let count = unrolled; count > 0; count--) {
    const once = followedBy(part, following, isAtBegin && count === 1)
    following = count > min ? anyOf(once, rest) : once
  }
  return following
}

// `(?:(?!x).)*` up to the end: no x anywhere.
function tempered(part: Regex, min: number, rest: Language): Language {
  const [first, ...others] = part.type === 'sequence' ? part.parts : []
  const isKnown = first?.type === 'lookahead' && first.isNegative && isPlain(first.part) && others.every(isPlain)
  if (!isKnown || rest.type !== 'empty') throw new PatternError("a repeated lookahead can't be enforced")
  const taken = times(inSequence(...others.map(plain)), min, Number.POSITIVE_INFINITY)
  return allOf(taken, not(inSequence(ANY_TEXT, plain(first.part), ANY_TEXT)))
}

function plain(regex: Regex): Language {
  switch (regex.type) {
    case 'characters':
      return regex
    case 'sequence':
      return inSequence(...regex.parts.map(plain))
    case 'choice':
      return withSharedBeginnings(regex.options.map(plain))
    case 'repeat':
      return times(plain(regex.part), regex.min, regex.max)
    case 'begin':
    case 'end':
    case 'lookahead':
      return EMPTY_TEXT
    default:
      return regex satisfies never
  }
}

/**
 * Words that begin with the same character share it, so that each state of the automaton of a long
 * list has few places to keep.
 */
function withSharedBeginnings(options: readonly Language[]): Language {
  const others = new Set<Language>()
  const groups = new Map<string, { first: Language; rests: Language[] }>()
  for (const option of options) {
    const [first = option, ...rest] = option.type === 'sequence' ? option.parts : [option]
    if (first.type !== 'characters') others.add(option)
    else {
      const group = getOrMake(groups, first.ranges.join(), () => ({ first, rests: [] }))
      group.rests.push(inSequence(...rest))
    }
  }
  const shared = Array.from(groups.values(), ({ first, rests }) =>
    inSequence(first, rests.length === 1 ? rests[0]! : withSharedBeginnings(rests)),
  )
  return anyOf(...others, ...shared)
}
