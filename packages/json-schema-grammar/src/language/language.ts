// Sets of texts that an automaton can decide: regular expressions, and what can be made of them.
// Unlike grammar expressions, these can be intersected and inverted.

import { codePoint, type CharacterRange } from '../grammar/expression.ts'
import { onlyOne } from '../only-one.ts'
import { getOrMake } from '../get-or-make.ts'

export type Language =
  /** No text at all. */
  | { readonly type: 'none' }
  /** Only the empty text. */
  | { readonly type: 'empty' }
  | { readonly type: 'characters'; readonly ranges: readonly CharacterRange[] }
  | { readonly type: 'sequence'; readonly parts: readonly Language[] }
  | { readonly type: 'choice'; readonly options: readonly Language[] }
  | { readonly type: 'repeat'; readonly part: Language; readonly min: number; readonly max: number }
  /** Texts that are in all parts. */
  | { readonly type: 'all'; readonly parts: readonly Language[] }
  | { readonly type: 'not'; readonly part: Language }
  /**
   * Texts with this many characters. A loop that can't repeat at least `share` times is an error,
   * not just short.
   */
  | { readonly type: 'length'; readonly min: number; readonly max: number; readonly share?: number }

/** Says what is wrong with a pattern, or that it needs too much; the caller adds where. */
export class PatternError extends Error {
  override name = 'PatternError'
}

export const NONE: Language = { type: 'none' }
export const EMPTY_TEXT: Language = { type: 'empty' }
export const ANY_CHARACTER: Language = { type: 'characters', ranges: [[0, 0x10_ff_ff]] }
export const ANY_TEXT: Language = { type: 'repeat', part: ANY_CHARACTER, min: 0, max: Number.POSITIVE_INFINITY }

export function inSequence(...parts: readonly Language[]): Language {
  const kept = parts.flatMap((part) => (part.type === 'sequence' ? part.parts : part.type === 'empty' ? [] : [part]))
  if (kept.some(({ type }) => type === 'none')) return NONE
  return kept.length === 0 ? EMPTY_TEXT : (onlyOne(kept) ?? { type: 'sequence', parts: kept })
}

export function anyOf(...options: readonly Language[]): Language {
  const kept = options.filter(({ type }) => type !== 'none')
  return kept.length === 0 ? NONE : (onlyOne(kept) ?? { type: 'choice', options: kept })
}

export function allOf(...parts: readonly Language[]): Language {
  const kept = parts.flatMap((part) => (part.type === 'all' ? part.parts : part === ANY_TEXT ? [] : [part]))
  return kept.length === 0 ? ANY_TEXT : (onlyOne(kept) ?? { type: 'all', parts: kept })
}

/** One for each language, so that its automaton is made once. */
const inversions = new WeakMap<Language, Language>()

export function not(part: Language): Language {
  if (part.type === 'not') return part.part
  return getOrMake(inversions, part, () => ({ type: 'not', part }))
}

export function times(part: Language, min: number, max: number): Language {
  return min === 1 && max === 1 ? part : max === 0 ? EMPTY_TEXT : { type: 'repeat', part, min, max }
}

export function textsOf(texts: readonly string[]): Language {
  return anyOf(...texts.map(textOf))
}

function textOf(text: string): Language {
  return inSequence(
    ...Array.from(text, (character): Language => {
      const code = codePoint(character)
      return { type: 'characters', ranges: [[code, code]] }
    }),
  )
}

/** Whether the empty text is in the language. */
export function hasEmptyText(language: Language): boolean {
  switch (language.type) {
    case 'none':
    case 'characters':
      return false
    case 'empty':
      return true
    case 'sequence':
    case 'all':
      return language.parts.every(hasEmptyText)
    case 'choice':
      return language.options.some(hasEmptyText)
    case 'repeat':
      return language.min === 0 || hasEmptyText(language.part)
    case 'not':
      return !hasEmptyText(language.part)
    case 'length':
      return language.min === 0
    default:
      return language satisfies never
  }
}
