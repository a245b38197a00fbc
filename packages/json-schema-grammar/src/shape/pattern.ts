// Regular expressions in a schema, and the texts that match them.

import { accepts, type Automaton } from '../language/automaton.ts'
import type { BoundedAutomaton } from '../language/bound-repeats.ts'
import { compile, compileCells, compileText, requireFew } from '../language/compile.ts'
import { PatternError, not } from '../language/language.ts'
import type { Cell } from '../language/product.ts'
import { readRegex } from '../language/read-regex.ts'
import { languageOf, simplerLanguageOf } from '../language/regex.ts'
import { withoutTexts } from '../language/without-texts.ts'
import { WorkSpent, type WorkBudget } from '../language/work-budget.ts'
import { SchemaError, TooComplex } from '../schema/schema-error.ts'
import { RecentlyUsed } from './recently-used.ts'
import type { NamedLanguage } from './shape.ts'

export interface Pattern {
  named: NamedLanguage
  isExact: boolean
}

class Caches {
  readonly patterns = new RecentlyUsed<Pattern>(128)
  readonly texts = new RecentlyUsed<BoundedAutomaton>(128)
}

const cells = new RecentlyUsed<readonly Cell[]>(64)
const rests = new RecentlyUsed<Automaton>(64)
const others = new Caches()
/** All formats fit in, so that no other pattern takes their place. */
const formats = new Caches()

function cachesFor(isFormat = false): Caches {
  return isFormat ? formats : others
}

export function readPattern(source: unknown, path: string, isFormat = false): Pattern {
  if (typeof source !== 'string') throw new SchemaError(path, 'must be a regular expression')
  return cachesFor(isFormat).patterns.getOrMake(source, () =>
    locate(path, () => {
      const { regex, isExact } = readRegex(source, isFormat)
      return {
        named: { key: `/${source}/`, language: languageOf(regex), simpler: () => simplerLanguageOf(regex), isFormat },
        isExact,
      }
    }),
  )
}

/** Adds the place to what is wrong with a pattern. */
export function locate<Result>(path: string, make: () => Result): Result {
  try {
    return make()
  } catch (error) {
    if (error instanceof WorkSpent) throw new TooComplex(path, error.message)
    throw error instanceof PatternError ? new SchemaError(path, error.message) : error
  }
}

export function invertPattern(source: unknown, path: string, isFormat = false): NamedLanguage {
  const { named, isExact } = readPattern(source, path, isFormat)
  if (!isExact) throw new SchemaError(path, "can't be inverted, because only some of its texts are known")
  return invert(named)
}

export function invert({ key, language }: NamedLanguage): NamedLanguage {
  return { key: `!${key}`, language: not(language) }
}

export function isInLanguage(text: string, { language }: NamedLanguage, path: string, work: WorkBudget): boolean {
  return accepts(
    locate(path, () => requireFew(compile(language, work))),
    text,
  )
}

/** Throws PatternError if the automaton would be too large. */
export function compiledText({ key, language, isFormat }: NamedLanguage, work: WorkBudget): BoundedAutomaton {
  return cachesFor(isFormat).texts.getOrMake(key, () => compileText(language, work))
}

/**
 * The texts of all of `required`, split by the other languages. Throws PatternError if an automaton
 * would be too large.
 */
export function compiledCells(
  required: readonly NamedLanguage[],
  named: readonly NamedLanguage[],
  hasOthers: boolean,
  work: WorkBudget,
): readonly Cell[] {
  const keysOf = (languages: readonly NamedLanguage[]) => languages.map(({ key }) => key).join(' ')
  const automataOf = (languages: readonly NamedLanguage[]) => languages.map(({ language }) => compile(language, work))
  return cells.getOrMake(`${keysOf(required)} & ${keysOf(named)} ${hasOthers}`, () =>
    compileCells(automataOf(required), automataOf(named), hasOthers, work),
  )
}

/** The other texts of an automaton. `key` is equal for equal ones. */
export function compiledRest(key: string, automaton: Automaton, texts: readonly string[], work: WorkBudget): Automaton {
  return rests.getOrMake(key, () => withoutTexts(automaton, texts, work))
}
