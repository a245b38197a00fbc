// The texts that a grammar allows, as a small tree. Grammars are built with these functions and
// printed at the end, so nothing has to be escaped, counted or checked as text.

import { onlyOne } from '../only-one.ts'

export type Expression =
  | { readonly type: 'literal'; readonly text: string; readonly length: number }
  | { readonly type: 'characters'; readonly ranges: readonly CharacterRange[] }
  | { readonly type: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly type: 'choice'; readonly options: readonly Expression[] }
  | { readonly type: 'repeat'; readonly part: Expression; readonly min: number; readonly max: number }
  /**
   * `number` is its place among the rules of a grammar; a rule that is found by its name needs
   * none.
   */
  | { readonly type: 'rule'; readonly name: string; readonly number: number }
  /**
   * An array in which no two `item` parts are equal. llama.cpp can't see this: it needs a follower
   * beside its grammar.
   */
  | { readonly type: 'distinct'; readonly part: Expression }
  /** An item of the innermost `distinct` array, and the comma before it. */
  | { readonly type: 'item'; readonly part: Expression }

/** A reference to a rule. */
export type Rule = Extract<Expression, { type: 'rule' }>

/** Code points, both ends included. */
export type CharacterRange = readonly [from: number, to: number]

const LAST_CODE_POINT = 0x10_ff_ff

/** Pass `length` if the text stands for fewer characters than it has, as an escape does. */
export function literal(text: string, length = lengthOf(text)): Expression {
  return { type: 'literal', text, length }
}

/** In characters. Most texts have no character that takes two places. */
function lengthOf(text: string): number {
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length
}

export const EMPTY = literal('')

export function rule(name: string, number = -1): Rule {
  return { type: 'rule', name, number }
}

export function sequence(...parts: (Expression | string)[]): Expression {
  const all: Expression[] = []
  for (const part of parts) if (part !== EMPTY) all.push(typeof part === 'string' ? literal(part) : part)
  return onlyOne(all) ?? { type: 'sequence', parts: all }
}

export function choice(...options: Expression[]): Expression {
  // llama.cpp would read it as an empty text.
  if (options.length === 0) throw new Error('a choice needs an option')
  return onlyOne(options) ?? { type: 'choice', options }
}

export function distinct(part: Expression): Expression {
  return { type: 'distinct', part }
}

export function item(part: Expression): Expression {
  return { type: 'item', part }
}

export function optional(part: Expression): Expression {
  return repeat(part, 0, 1)
}

export function repeat(part: Expression, min: number, max = Number.POSITIVE_INFINITY): Expression {
  if (min === 1 && max === 1) return part
  return max === 0 ? EMPTY : { type: 'repeat', part, min, max }
}

export function characters(...ranges: (CharacterRange | string)[]): Expression {
  const all = ranges.flatMap((range) =>
    typeof range === 'string'
      ? Array.from(range, (char): CharacterRange => [codePoint(char), codePoint(char)])
      : [range],
  )
  return { type: 'characters', ranges: mergeRanges(all) }
}

export function codePoint(character: string): number {
  return character.codePointAt(0)!
}

/** Everything between two code points that is not in `ranges`. */
export function invertRanges(
  ranges: readonly CharacterRange[],
  from = 0,
  to = LAST_CODE_POINT,
): readonly CharacterRange[] {
  const inverted: CharacterRange[] = []
  let next = from
  for (const [low, high] of mergeRanges(ranges)) {
    if (low > next) inverted.push([next, Math.min(low - 1, to)])
    next = Math.max(next, high + 1)
  }
  if (next <= to) inverted.push([next, to])
  return inverted.filter(([low, high]) => low <= high)
}

export function without(
  ranges: readonly CharacterRange[],
  excluded: readonly CharacterRange[],
): readonly CharacterRange[] {
  return excluded.length === 0 ? ranges : invertRanges([...invertRanges(ranges), ...excluded])
}

function mergeRanges(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const merged: [number, number][] = []
  for (const [low, high] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1)
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high)
    else merged.push([low, high])
  }
  return merged
}
