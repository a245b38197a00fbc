// Regular expressions in a schema, and the texts that match them.

import { accepts, type Automaton } from '../language/automaton.ts'
import type { BoundedAutomaton } from '../language/bound-repeats.ts'
import { compile, compileCells, compileText, requireFew } from '../language/compile.ts'
import { PatternError, not, type Language } from '../language/language.ts'
import type { Cell } from '../language/product.ts'
import { readRegex } from '../language/read-regex.ts'
import { languageOf, simplerLanguageOf } from '../language/regex.ts'
import { WorkSpent, type WorkBudget } from '../language/work-budget.ts'
import { SchemaError, TooComplex } from '../schema/schema-error.ts'
import { RecentlyUsed } from './recently-used.ts'
import type { NamedLanguage } from './shape.ts'

export interface Pattern {
  named: NamedLanguage
  isExact: boolean
}

/** Reading a pattern is cheap next to compiling it, but formats come up again and again. */
const patterns = new RecentlyUsed<Pattern>(256)
const automata = new RecentlyUsed<Automaton>(128)
const texts = new RecentlyUsed<BoundedAutomaton>(128)
const cells = new RecentlyUsed<readonly Cell[]>(64)

export function readPattern(source: unknown, path: string, isTrusted = false): Pattern {
  if (typeof source !== 'string') throw new SchemaError(path, 'must be a regular expression')
  return patterns.getOrMake(source, () =>
    locate(path, () => {
      const { regex, isExact } = readRegex(source, isTrusted)
      return {
        named: { key: `/${source}/`, language: languageOf(regex), simpler: simplerLanguageOf(regex) },
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

export function invertPattern(source: unknown, path: string): NamedLanguage {
  const { named, isExact } = readPattern(source, path)
  if (!isExact) throw new SchemaError(path, "can't be inverted, because only some of its texts are known")
  return invert(named)
}

export function invert({ key, language }: NamedLanguage): NamedLanguage {
  return { key: `!${key}`, language: not(language) }
}

export function isInLanguage(text: string, named: NamedLanguage, path: string, work: WorkBudget): boolean {
  return accepts(
    locate(path, () => requireFew(compiled(named, work))),
    text,
  )
}

/** Throws PatternError if the automaton would be too large. */
export function compiledText(key: string, language: Language, work: WorkBudget): BoundedAutomaton {
  return texts.getOrMake(key, () => compileText(language, work))
}

/** The texts of all of `required`, split by the other languages. Throws PatternError if an automaton would be too large. */
export function compiledCells(
  required: readonly NamedLanguage[],
  named: readonly NamedLanguage[],
  hasOthers: boolean,
  work: WorkBudget,
): readonly Cell[] {
  const keysOf = (languages: readonly NamedLanguage[]) => languages.map(({ key }) => key).join(' ')
  const automataOf = (languages: readonly NamedLanguage[]) => languages.map((one) => compiled(one, work))
  return cells.getOrMake(`${keysOf(required)} & ${keysOf(named)} ${hasOthers}`, () =>
    compileCells(automataOf(required), automataOf(named), hasOthers, work),
  )
}

function compiled({ key, language }: NamedLanguage, work: WorkBudget): Automaton {
  return automata.getOrMake(key, () => compile(language, work))
}
