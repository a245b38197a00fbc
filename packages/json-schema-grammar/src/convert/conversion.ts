// The part of the converter that arrays and objects use: the rules so far, and a way to convert the
// schemas inside them.

import type { Expression } from '../grammar/expression.ts'
import type { GrammarRules } from '../grammar/grammar-rules.ts'
import type { OtherTexts } from '../grammar/other-texts.ts'
import type { Expander } from '../expand/expander.ts'
import type { Term } from '../shape/term.ts'

export interface Conversion {
  readonly rules: GrammarRules
  readonly expander: Expander
  /** For the names of properties that have no name of their own. */
  readonly otherNames: OtherTexts
  /** Throws SchemaError, or NothingFits if no value matches. */
  convertTerm(term: Term): Expression
  /** Undefined if no value matches. */
  tryTerm(term: Term): Expression | undefined
}
