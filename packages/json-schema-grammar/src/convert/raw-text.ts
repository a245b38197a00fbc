// Texts as they are, without quotes and escapes: arguments between tags. Such a text ends where its
// closing mark begins, so it may not contain the mark.

import { choice, codePoint, invertRanges, type CharacterRange, type Expression } from '../grammar/expression.ts'
import { oneOfTexts } from '../grammar/texts.ts'
import { ANY_TEXT, allOf, inSequence, not, textsOf, times, type Language } from '../language/language.ts'
import { writePlain } from '../grammar/write-characters.ts'
import { NothingFits } from '../schema/schema-error.ts'
import type { Schema } from '../schema/schema-object.ts'
import type { NamedLanguage, StringShape } from '../shape/shape.ts'
import { termOf } from '../shape/term.ts'
import type { Conversion } from './conversion.ts'
import { contentOf, isAnyString } from './strings.ts'

/** Control characters that no text has, except for tabs and line breaks. */
const CONTROLS: readonly CharacterRange[] = [
  [0, 8],
  [11, 12],
  [14, 31],
  [127, 127],
]

/** The texts without `mark` that match a schema; 'any' if all do. Throws SchemaError. */
export function rawText(schema: Schema, path: string, mark: string, conversion: Conversion): Expression | 'any' {
  const { shapes } = conversion.expander.expand(termOf(schema, path))
  if (shapes.some((shape) => shape.type === 'string' && isAnyString(shape))) return 'any'
  const texts = shapes
    .flatMap((shape) => (shape.type === 'values' ? shape.values : []))
    .filter((value) => typeof value === 'string')
  const options = shapes.flatMap((shape) => (shape.type === 'string' ? contentWithout(shape, mark, conversion) : []))
  if (texts.length > 0) options.push(conversion.rules.add('texts', oneOfTexts(texts, conversion.rules)))
  if (options.length === 0) throw new NothingFits(path, 'no text is allowed here')
  return choice(...options)
}

/**
 * Without one character of the mark, texts are easy to count. The others are only needed if none of
 * these fits.
 */
function contentWithout(shape: StringShape, mark: string, conversion: Conversion): Expression[] {
  return tryContent(shape, withoutCharacter(mark), conversion) ?? tryContent(shape, withoutText(mark), conversion) ?? []
}

function tryContent(shape: StringShape, limit: NamedLanguage, { rules, expander }: Conversion) {
  try {
    return [contentOf({ ...shape, languages: [...shape.languages, limit] }, writePlain, rules, expander.work)]
  } catch (error) {
    if (error instanceof NothingFits) return undefined
    throw error
  }
}

function withoutCharacter(mark: string): NamedLanguage {
  const code = codePoint(mark)
  return { key: `raw ${code}`, language: textOf([...CONTROLS, [code, code]]) }
}

function withoutText(mark: string): NamedLanguage {
  return {
    key: `raw ${JSON.stringify(mark)}`,
    language: allOf(textOf(CONTROLS), not(inSequence(ANY_TEXT, textsOf([mark]), ANY_TEXT))),
  }
}

function textOf(excluded: readonly CharacterRange[]): Language {
  return times({ type: 'characters', ranges: invertRanges(excluded) }, 0, Number.POSITIVE_INFINITY)
}
